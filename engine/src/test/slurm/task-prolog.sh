#!/bin/sh
# Slurm runs this as the user before each task; lines "export X=Y" go into the task's environment. Of devices that are called gpu,
# it tells each task the numbers of its own. The vendor's software wants them under another name.
[ -n "$SLURM_STEP_GPUS" ] && echo "export ASCEND_RT_VISIBLE_DEVICES=$SLURM_STEP_GPUS"
exit 0
