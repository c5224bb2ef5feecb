#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes keras/{resnet50,transformer,lstm}.pb.gz: SavedModels that Keras exports, without their weights.

    VENV/bin/pip install tensorflow-cpu==2.21.0 keras==3.15.1
    VENV/bin/python keras_models.py
"""
import gzip
import os
import pathlib
import tempfile

os.environ.update(TF_CPP_MIN_LOG_LEVEL='3', CUDA_VISIBLE_DEVICES='', KERAS_BACKEND='tensorflow')
import keras  # noqa: E402

LAYERS = keras.layers
FOLDER = pathlib.Path(__file__).resolve().parent / 'keras'


def resnet50():
    return keras.applications.ResNet50(weights=None)


def transformer():
    words = keras.Input((64,), dtype='int32', name='words')
    x = LAYERS.Embedding(1000, 128)(words)
    for _ in range(2):
        attended = LAYERS.Dropout(0.1)(LAYERS.MultiHeadAttention(4, 32)(x, x))
        x = LAYERS.LayerNormalization()(x + attended)
        x = LAYERS.LayerNormalization()(x + LAYERS.Dense(128)(LAYERS.Dense(512, activation='gelu')(x)))
    return keras.Model(words, LAYERS.Dense(10, activation='softmax')(LAYERS.GlobalAveragePooling1D()(x)))


def lstm():
    words = keras.Input((None,), dtype='int32', name='words')
    x = LAYERS.Embedding(1000, 64)(words)
    x = LAYERS.Bidirectional(LAYERS.LSTM(64, return_sequences=True))(x)
    return keras.Model(words, LAYERS.Dense(1, activation='sigmoid')(LAYERS.LSTM(32)(x)))


for make in (resnet50, transformer, lstm):
    model = make()
    with tempfile.TemporaryDirectory() as folder:
        model.export(folder, verbose=False)
        graph = pathlib.Path(folder, 'saved_model.pb').read_bytes()
    (FOLDER / (make.__name__ + '.pb.gz')).write_bytes(gzip.compress(graph, 9, mtime=0))
    trained = sum(variable.shape.num_elements() for variable in (v.value for v in model.trainable_variables))
    print(make.__name__, 'trained parameters:', trained)
