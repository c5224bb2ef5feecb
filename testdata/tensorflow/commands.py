# SPDX-License-Identifier: Apache-2.0
"""The commands whose classic answers are kept as goldens: one per line, as a user types them."""

# Asked of every case.
COMMON = '''
scope
scope --max_depth=1 --select=params,float_ops,bytes,micros
scope --max_depth=2 --select=bytes,peak_bytes,residual_bytes,output_bytes
scope --max_depth=3 --select=device,op_types,occurrence --order_by=occurrence
scope --max_depth=4 --select=micros,accelerator_micros,cpu_micros --order_by=micros
scope --account_type_regexes=_trainable_variables --select=params --order_by=params
scope --account_type_regexes=.*cpu.* --max_depth=3 --select=micros,device --order_by=cpu_micros
scope --max_depth=3 --step=0 --select=micros,bytes,occurrence --order_by=bytes
scope --show_name_regexes=.*gradients.* --max_depth=4 --select=micros
scope --max_depth=5 --min_output_bytes=64 --select=output_bytes --order_by=output_bytes
graph --max_depth=0 --select=micros
graph --max_depth=3 --select=bytes,micros --order_by=micros
graph --max_depth=4 --select=device,op_types,params,float_ops --order_by=float_ops --min_float_ops=1
graph --max_depth=5 --hide_name_regexes=.*/read,.*Const.* --select=occurrence --order_by=occurrence
graph --max_depth=3 --step=0 --select=residual_bytes,peak_bytes --order_by=residual_bytes
graph --account_type_regexes=MatMul,Conv2D --max_depth=20 --select=float_ops,input_shapes
op
op --select=micros,bytes,occurrence --order_by=micros
op --select=accelerator_micros,cpu_micros,params,float_ops --order_by=float_ops --max_depth=8
op --select=peak_bytes,residual_bytes,output_bytes --order_by=peak_bytes --max_depth=12
op --select=input_shapes,micros --order_by=occurrence --max_depth=6
op --select=device,op_types,occurrence --order_by=residual_bytes --max_depth=5
op --min_micros=20 --select=micros --order_by=micros --account_displayed_op_only=true
op --min_occurrence=5 --select=occurrence --order_by=occurrence
op --step=0 --select=output_bytes,micros --order_by=output_bytes --max_depth=5
code --max_depth=4 --select=micros,bytes
code --max_depth=6 --select=params,float_ops,micros --order_by=float_ops
code --max_depth=5 --select=accelerator_micros,cpu_micros,op_types,device --order_by=accelerator_micros
code --max_depth=7 --min_micros=5 --select=micros --order_by=micros --step=0
code --max_depth=5 --hide_name_regexes=.*gradient.* --select=peak_bytes,residual_bytes --order_by=peak_bytes
code --max_depth=4 --select=occurrence,input_shapes,output_bytes --order_by=occurrence
'''

OWN = {
    'mnist_softmax': '''
scope --start_name_regexes=softmax --select=params,bytes
scope --trim_name_regexes=gradients,softmax --select=micros,float_ops --order_by=float_ops
scope --account_type_regexes=input_pipeline,metrics --select=op_types,float_ops,micros
scope --min_params=10 --select=params --account_displayed_op_only=true
scope --min_bytes=1000 --min_micros=2 --select=bytes,micros --order_by=bytes
graph --start_name_regexes=loss/.* --max_depth=4 --select=micros
graph --trim_name_regexes=softmax/.* --max_depth=6 --account_displayed_op_only=true
graph --min_cpu_micros=10 --max_depth=10 --select=cpu_micros --order_by=cpu_micros
op --account_type_regexes=.*Variable.*,Assign.* --select=params,occurrence --order_by=params
op --start_name_regexes=MatMul --trim_name_regexes=Cast --select=micros --order_by=micros
code --start_name_regexes=mnist_softmax.py.*build.* --select=params,micros --max_depth=8
code --show_name_regexes=mnist_softmax.py.* --select=micros,params --order_by=micros
code --trim_name_regexes=.*optimizer.py.* --select=micros --max_depth=8
''',
    'convnet': '''
scope --start_name_regexes=conv1,conv2 --max_depth=3 --select=params,bytes,micros --order_by=bytes
scope --trim_name_regexes=conv.*,gradients --hide_name_regexes=save.* --select=float_ops,params
scope --min_float_ops=1 --select=float_ops --order_by=float_ops --account_displayed_op_only=true
scope --min_peak_bytes=2000 --select=peak_bytes --max_depth=6 --order_by=peak_bytes
scope --min_residual_bytes=1000 --min_occurrence=1 --select=residual_bytes,occurrence --max_depth=6
graph --start_name_regexes=conv2/.* --max_depth=3 --select=params,micros
graph --min_params=8 --max_depth=30 --select=params --order_by=params
graph --trim_name_regexes=gradients/.*,conv1/.* --max_depth=8 --select=bytes --min_bytes=500
op --account_type_regexes=.*Conv.*,.*BatchNorm.* --select=float_ops,micros,input_shapes
op --hide_name_regexes=Const,Assign --min_cpu_micros=10 --select=cpu_micros --order_by=cpu_micros
op --min_params=1 --select=params --order_by=params
code --start_name_regexes=convnet.py.*convolution.* --max_depth=4 --select=float_ops,params,micros
code --min_params=20 --select=params --order_by=params --max_depth=8
code --min_float_ops=1000 --select=float_ops,op_types --max_depth=7
''',
    'rnn_while': '''
scope --start_name_regexes=rnn/while --max_depth=3 --select=occurrence,micros --order_by=micros
scope --min_occurrence=3 --select=occurrence,micros --max_depth=6
scope --trim_name_regexes=rnn/while --hide_name_regexes=gradients/.* --select=micros,bytes
scope --min_cpu_micros=10 --select=cpu_micros --max_depth=5 --account_displayed_op_only=true
graph --start_name_regexes=rnn/while/.* --max_depth=3 --select=occurrence,micros
graph --min_occurrence=2 --max_depth=12 --select=occurrence --order_by=occurrence
graph --min_residual_bytes=1 --max_depth=8 --select=residual_bytes --account_displayed_op_only=true
op --account_type_regexes=Enter,Exit,Merge,Switch,NextIteration --select=occurrence,micros
op --min_bytes=1 --select=bytes,occurrence --order_by=bytes
op --start_name_regexes=Switch --select=occurrence,micros --order_by=occurrence --max_depth=4
code --start_name_regexes=rnn_while.py.*__call__.* --max_depth=3 --select=micros,float_ops
code --show_name_regexes=rnn_while.py.* --select=micros,bytes --order_by=micros
code --min_bytes=1 --min_output_bytes=64 --select=bytes,output_bytes --max_depth=6
''',
    'two_devices': '''
scope --account_type_regexes=.*CPU:1,.*cpu:1 --select=device,micros,bytes
scope --account_type_regexes=.*cpu:0 --max_depth=2 --select=device,micros --order_by=micros
scope --start_name_regexes=tower_.* --max_depth=3 --select=micros,occurrence
scope --trim_name_regexes=tower_0,model --select=params,micros --account_displayed_op_only=true
scope --min_micros=3 --select=micros,accelerator_micros --max_depth=6
graph --min_accelerator_micros=1 --select=accelerator_micros,micros
graph --account_type_regexes=.*cpu:1 --max_depth=6 --select=device,micros
graph --start_name_regexes=tower_1/model/.* --max_depth=4 --select=device,params,bytes
graph --min_output_bytes=100 --max_depth=10 --select=output_bytes --order_by=output_bytes
op --account_type_regexes=.*cpu:1 --select=device,micros,occurrence --order_by=micros
op --trim_name_regexes=Tanh --select=micros,bytes --order_by=bytes
op --min_float_ops=10 --select=float_ops,occurrence --order_by=float_ops
code --start_name_regexes=two_devices.py.*build_tower.* --select=params,micros,device --max_depth=6
code --account_type_regexes=.*cpu:1 --max_depth=5 --select=micros --order_by=micros
code --min_cpu_micros=5 --min_peak_bytes=1 --select=cpu_micros,peak_bytes --max_depth=6
''',
}

# Asked of the cases that have one, with --checkpoint_path.
CHECKPOINT = {
    'mnist_softmax': '''
scope --account_type_regexes=_checkpoint_variables --select=params,op_types,tensor_value
scope --start_name_regexes=softmax --select=tensor_value --max_depth=3
scope --show_name_regexes=global_step,images_seen --select=tensor_value,params,device
graph --account_type_regexes=_checkpoint_variables --select=tensor_value,params --max_depth=4
op --account_type_regexes=_checkpoint_variables --select=params,occurrence --order_by=params
scope --account_type_regexes=_checkpoint_variables --select=params --account_displayed_op_only=true
''',
    'convnet': '''
scope --account_type_regexes=_checkpoint_variables --select=params,op_types --order_by=params
scope --show_name_regexes=.*/offset --select=tensor_value,params --max_depth=4
scope --show_name_regexes=conv1/kernel --select=tensor_value --max_depth=3
scope --show_name_regexes=dense/(weights|bias) --select=tensor_value --max_depth=3
op --account_type_regexes=_checkpoint_variables --select=params,occurrence --order_by=params
''',
}
