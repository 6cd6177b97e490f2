import { describesSending } from './describes-sending.js';
import { describesRuntime } from './describes-runtime.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

const run = [
  'run',
  '--no-prompt',
  '--allow-net',
  '--allow-env',
  '--allow-sys',
  '--allow-read',
  '--allow-write',
];

describeWith('Deno', findProgram('deno'), (deno) => {
  describesRuntime(deno, 'gateway-deno.mjs', ...run);
  describesSending(deno, 'src/node.ts', ...run);
});
