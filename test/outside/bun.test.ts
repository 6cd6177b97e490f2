import { describesRuntime } from './describes-runtime.js';
import { describeWith, findProgram } from './programs.js';

describeWith('Bun', findProgram('bun'), (bun) => describesRuntime(bun));
