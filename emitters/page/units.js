// SPDX-License-Identifier: Apache-2.0
// Numbers as texts, digit for digit as the terminal prints them (core/text/units.cc) and as JSON has them
// (emitters/cells.cc). Integers are BigInts: sums of picoseconds do not fit a double.

const POWERS = (names, step) => names.map((name, i) => [name, BigInt(step) ** BigInt(i)]);
const PS = POWERS([' ps', ' ns', ' us', ' ms', ' s'], 1000);
const NUMBERS = POWERS(['', 'k', 'M', 'G', 'T', 'P', 'E'], 1000);
const SCALES = {
  us: POWERS([' us', ' ms', ' s'], 1000),
  ps: PS, ps_as_us: PS, ps_as_ms: PS,
  B: POWERS([' B', ' KiB', ' MiB', ' GiB', ' TiB', ' PiB', ' EiB'], 1024),
  count: NUMBERS, flops: NUMBERS, params: NUMBERS,
  '%': [['%', 1n]],
};
const PLAIN = [['', 1n]];

const rounded = (value, size, decimals) => (value * 10n ** BigInt(decimals) + size / 2n) / size;
function fixed(scaled, decimals) {
  if (decimals === 0) return String(scaled);
  const one = 10n ** BigInt(decimals);
  return scaled / one + '.' + String(scaled % one).padStart(decimals, '0');
}

// An integer with its unit; null is '-'.
export function humanInteger(value, unit, divisor = 1n) {
  if (value === null) return '-';
  const scales = SCALES[unit] || PLAIN;
  if (value === 0n && scales === PS) return '0';
  const sign = value < 0n ? '-' : '', size = value < 0n ? -value : value;
  if (unit === 'count' && size / divisor < 10000n) {
    const text = fixed(rounded(size, divisor, 1), 1);
    return sign + (size % divisor === 0n ? text.slice(0, -2) : text);
  }
  let at = 0;
  while (at + 1 < scales.length &&
         rounded(size, scales[at][1] * divisor, 0) >= scales[at + 1][1] / scales[at][1]) ++at;
  let decimals = at === 0 ? 0 : 2;
  while (decimals > 0 && rounded(size, scales[at][1] * divisor, decimals) >= 1000n) --decimals;
  return sign + fixed(rounded(size, scales[at][1] * divisor, decimals), decimals) + scales[at][0];
}

// The first `count` significant digits of a positive number, as an integer, and its exponent; ties go to
// the even digit, as C has it.
function digitsOf(value, count) {
  const [mantissa, exponent] = value.toExponential(60).split('e');
  const digits = mantissa.replace('.', '');
  let head = BigInt(digits.slice(0, count) || '0');
  const rest = digits.slice(count);
  const half = rest[0] === '5' && !/[1-9]/.test(rest.slice(1));
  if (half ? head % 2n === 1n : rest[0] >= '5') head += 1n;
  const carried = String(head).length > count && count > 0;
  return {head: carried ? head / 10n : head, exponent: Number(exponent) + (carried ? 1 : 0)};
}
// As RoundedPercent of core/text/units.h, with one decimal.
function percent(value) {
  if (!Number.isFinite(value)) return String(value).toLowerCase().replace('infinity', 'inf');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + (Math.floor(Math.abs(value) * 10 * (1 + 1e-12) + 0.5) / 10).toFixed(1);
}
// As {:.4g}.
function general(value) {
  if (!Number.isFinite(value)) return String(value).toLowerCase().replace('infinity', 'inf');
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const {head, exponent} = digitsOf(Math.abs(value), 4);
  const sign = value < 0 ? '-' : '', digits = String(head);
  const strip = (text) => text.includes('.') ? text.replace(/\.?0*$/, '') : text;
  if (exponent < -4 || exponent >= 4) {
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return sign + strip(digits[0] + '.' + digits.slice(1)) + 'e' + (exponent < 0 ? '-' : '+') + power;
  }
  if (exponent < 0) return sign + strip('0.' + '0'.repeat(-exponent - 1) + digits);
  return sign + strip(digits.slice(0, exponent + 1) + '.' + digits.slice(exponent + 1));
}

function humanTime(value, ps) {
  const times = value * ps;
  if (Math.abs(times) >= 9e18) return general(times / 1e12) + ' s';
  return humanInteger(BigInt(Math.sign(times) * Math.round(Math.abs(times))), 'ps');
}
function rate(value, step, units) {
  let at = 0;
  for (; at + 1 < units.length && value !== 0 && Math.abs(value) < 0.99995; ++at) value *= step;
  return general(value) + units[at];
}
const FLOPS = [' GFLOP/s', ' MFLOP/s', ' kFLOP/s', ' FLOP/s'];
const BYTES = [' GB/s', ' MB/s', ' KB/s', ' B/s'];
const BINARY = [' GiB/s', ' MiB/s', ' KiB/s', ' B/s'];
const perSecond = (value, giga) => (value < 0 ? '-' : '') + humanReal(Math.abs(value) / 1e9, giga);

// A real number with its unit; null is '-'.
export function humanReal(value, unit) {
  if (value === null) return '-';
  switch (unit) {
    case 'us': return humanTime(value, 1e6);
    case 'ms': return humanTime(value, 1e9);
    case '%': return percent(value);
    case 'fraction': return percent(100 * value) + '%';
    case 'GFLOP/s': return value >= 1000 ? general(value / 1000) + ' TFLOP/s' : rate(value, 1000, FLOPS);
    case 'GB/s': return value >= 10000 ? general(value / 1000) + ' TB/s' : rate(value, 1000, BYTES);
    case 'GiB/s': return rate(value, 1024, BINARY);
    case 'FLOP/B': return general(value) + ' FLOP/B';
    case 'FLOP/s': return perSecond(value, 'GFLOP/s');
    case 'B/s': return perSecond(value, 'GB/s');
    default:
  }
  const large = ['B', 'count', 'params', 'flops'].includes(unit) && Math.abs(value) >= (unit === 'B' ? 0 : 10000);
  if (large && Math.abs(value) <= 9e18) {
    return humanInteger(BigInt(Math.sign(value) * Math.round(Math.abs(value))), unit);
  }
  return general(value);
}

// ---- as JSON has them -----------------------------------------------------------------------------------

const DECIMALS = {ps: 6, ps_as_us: 6, ps_as_ms: 6};
// In the unit of JSON, with all digits; null: absent.
export function writtenInteger(value, unit, divisor = 1n) {
  if (value === null) return null;
  const one = divisor * 10n ** BigInt(DECIMALS[unit] || 0);
  const sign = value < 0n ? '-' : '', size = value < 0n ? -value : value;
  let rest = size % one, digits = '';
  for (let i = 0; i < 18 && rest !== 0n; ++i) {
    digits += rest * 10n / one;
    rest = rest * 10n % one;
  }
  if (rest !== 0n) return String(Number(value) / Number(one));
  return sign + size / one + (digits ? '.' + digits : '');
}
const WRITTEN = {ms: 1e3, fraction: 100, 'GFLOP/s': 1e9, 'GB/s': 1e9, 'GiB/s': 2 ** 30};
export const writtenReal = (value, unit) => value === null ? null : String(value * (WRITTEN[unit] || 1));
