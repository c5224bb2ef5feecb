#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flops_test.py --bin TFPROF: FLOPs of operations equal those that TensorFlow's statistics give, for each
type that TensorFlow registers. Skipped unless TensorFlow is installed."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# TensorFlow takes the wrong dimension of a transposed first operand.
OTHERS = {"BatchMatMul transposed", "BatchMatMulV2 transposed", "BatchMatMulV3 transposed"}


def build(tf):
    """A graph with at least one operation of each registered type, and variants with other attributes."""
    raw, f = tf.raw_ops, tf.float32
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(f, [4, 6], "x")
        y = tf.compat.v1.placeholder(f, [6], "y")
        image = tf.compat.v1.placeholder(f, [2, 9, 8, 4], "image")
        video = tf.compat.v1.placeholder(f, [1, 5, 6, 7, 4], "video")
        filter2 = tf.compat.v1.placeholder(f, [3, 2, 4, 5], "filter2")
        grouped = tf.compat.v1.placeholder(f, [3, 2, 2, 6], "grouped")
        filter3 = tf.compat.v1.placeholder(f, [2, 3, 3, 4, 5], "filter3")
        flat = tf.compat.v1.placeholder(f, [3, 2, 4], "flat")
        batch = tf.compat.v1.placeholder(f, [7, 4, 6], "batch")
        other = tf.compat.v1.placeholder(f, [7, 6, 5], "other")
        turned = tf.compat.v1.placeholder(f, [7, 6, 4], "turned")
        strides, window, by2 = [1, 1, 1, 1], [1, 3, 2, 1], [1, 2, 2, 1]
        for name in "Reciprocal Square Rsqrt Log Neg".split():
            getattr(raw, name)(x=x)
        raw.L2Loss(t=x)
        raw.Softmax(logits=x)
        variable = tf.compat.v1.Variable(tf.zeros([4, 6]), use_resource=False, name="variable")
        tf.compat.v1.assign_add(variable, x)
        tf.compat.v1.assign_sub(variable, x)
        for name in ("Add AddV2 Sub Mul RealDiv Maximum Minimum Pow GreaterEqual Greater LessEqual Less Equal "
                     "NotEqual SquaredDifference").split():
            getattr(raw, name)(x=x, y=y)
        raw.RsqrtGrad(y=x, dy=x)
        for name in "Mean Sum".split():
            getattr(raw, name)(input=x, axis=[0])
            getattr(raw, name)(input=image, axis=[1, -2], keep_dims=True)
        for name in "ArgMax ArgMin".split():
            getattr(raw, name)(input=x, dimension=1)
        raw.BiasAddGrad(out_backprop=image)
        raw.BiasAdd(value=image, bias=[1.0] * 4)
        raw.AddN(inputs=[x, x, x])
        raw.MatMul(a=x, b=tf.transpose(x))
        raw.MatMul(a=x, b=x, transpose_a=True)
        raw.MatMul(a=x, b=x, transpose_b=True)
        for name in "BatchMatMul BatchMatMulV2".split():
            getattr(raw, name)(x=batch, y=other)
            getattr(raw, name)(x=turned, y=other, adj_x=True, name=name + "_transposed")
        raw.BatchMatMulV3(x=batch, y=other, Tout=f)
        raw.BatchMatMulV3(x=turned, y=other, Tout=f, adj_x=True, name="BatchMatMulV3_transposed")
        for padding in "SAME VALID".split():
            convolved = raw.Conv2D(input=image, filter=filter2, strides=by2, padding=padding)
            raw.Conv2DBackpropInput(input_sizes=[2, 9, 8, 4], filter=filter2, out_backprop=convolved, strides=by2,
                                    padding=padding)
            raw.Conv2DBackpropFilter(input=image, filter_sizes=[3, 2, 4, 5], out_backprop=convolved, strides=by2,
                                     padding=padding)
            raw.Conv2D(input=image, filter=grouped, strides=strides, padding=padding)
            raw.Conv2D(input=image, filter=filter2, strides=strides, padding=padding, dilations=by2)
            raw.Conv3D(input=video, filter=filter3, strides=[1, 1, 2, 1, 1], padding=padding)
            raw.DepthwiseConv2dNative(input=image, filter=filter2, strides=by2, padding=padding)
            raw.Dilation2D(input=image, filter=flat, strides=by2, rates=strides, padding=padding)
            pooled = raw.MaxPool(input=image, ksize=window, strides=by2, padding=padding)
            raw.MaxPoolGrad(orig_input=image, orig_output=pooled, grad=pooled, ksize=window, strides=by2,
                            padding=padding)
            raw.AvgPool(value=image, ksize=window, strides=by2, padding=padding)
            raw.AvgPoolGrad(orig_input_shape=[2, 9, 8, 4], grad=pooled, ksize=window, strides=by2, padding=padding)
    return graph


def tfprof_flops(program, graph):
    """{name of a node: its flops}; None: absent."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "graph.pb"
        path.write_bytes(graph.as_graph_def().SerializeToString())
        out = subprocess.run([program, "scope", path, "-max_depth", "100", "-select", "float_ops", "-format", "json"],
                             check=True, stdout=subprocess.PIPE).stdout
    return {row["name"]: row["flops"] for row in json.loads(out)["tables"]["scope"]["rows"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    program = os.path.abspath(parser.parse_args().bin)
    try:
        import tensorflow as tf
        from tensorflow.python.framework import ops
        from tensorflow.python.profiler.internal import flops_registry  # noqa: F401
    except ImportError:
        print("TensorFlow is not installed")
        return 77
    graph = build(tf)
    ours = tfprof_flops(program, graph)
    registered = {name.split(",")[0] for name in ops._stats_registry.list() if name.endswith(",flops")}
    compared, bad = set(), 0
    for op in graph.get_operations():
        if op.type not in registered:
            continue
        theirs = int(ops.get_stats_for_node_def(graph, op.node_def, "flops").value or 0)
        compared.add(op.type)
        if (ours[op.name] or 0) == theirs or (op.name.endswith("_transposed") and f"{op.type} transposed" in OTHERS):
            continue
        bad += 1
        print(f"{op.name} ({op.type}): {ours[op.name]}, TensorFlow {theirs}", file=sys.stderr)
    missing = registered - compared
    print(f"{len(compared)} of {len(registered)} registered types compared, {bad} differences", *sorted(missing))
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main())
