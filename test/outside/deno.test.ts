import { describesRuntime } from './describes-runtime.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

describeWith('Deno', findProgram('deno'), (deno) =>
  describesRuntime(
    deno,
    'gateway-deno.mjs',
    'run',
    '--no-prompt',
    '--allow-net',
    '--allow-env',
    '--allow-sys',
    '--allow-read',
    '--allow-write',
  ),
);
