// SPDX-License-Identifier: Apache-2.0
// Which charts an answer has.
import {hasSteps, hasDurations, stepChart} from './steps.js';
import {curveChart, kindOf} from './curves.js';
import {rooflineChart, hasRoofline} from './roofline.js';
import {sharesCharts, sharesIn} from './shares.js';
import {hasGraph} from './graph/model.js';
import {graphChart} from './graph/graph.js';

// The charts of an answer: which ones follows from the columns of its tables. `link`: where the tables are, on another
// page; `entry`, `key`: of this page; `hasCurve`: it has one.
export function chartsOf(answer, link, entry, key, hasCurve) {
  const charts = [];
  for (const table of answer.tables) {
    if (hasSteps(table)) charts.push(stepChart(table, 'Time of each step', link));
    else if (hasDurations(table)) charts.push(stepChart(table, 'Duration of each step', link));
    const kind = kindOf(table);
    if (kind && !hasCurve) charts.push(curveChart(table, kind, kind.values[0] === 'busy_pct' ? 'Devices at work' : 'Memory over time', link, entry, key));
    if (sharesIn(table)) charts.push(...sharesCharts(table, link));
    if (!link && hasGraph(table)) charts.push(graphChart(answer.view, table, table.name === 'stages' ? 'Stages of the pipelines' : table.tree ? 'Graph' : 'Graph of the program'));
    if (hasRoofline(table)) charts.push(rooflineChart(table, answer.table('devices'), link));
  }
  return charts.filter(Boolean);
}
