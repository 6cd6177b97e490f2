import { textToImageWorkflow } from 'promptwire/emulator';
import { readGraph, validateWorkflow } from 'promptwire/workflow';

const workflow = textToImageWorkflow();
const read = readGraph(JSON.stringify({ prompt: workflow }));
const [problem] = validateWorkflow({ 3: { class_type: 'KSampller', inputs: {} } }, {});
console.log(read.right._tag, problem.message);
