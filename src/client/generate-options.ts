import type { GenerateInputs } from '../generate/generate-types.js';
import type { RunOptions } from './jobs/run.js';

/** Options of `client.generate`. */
export interface GenerateOptions extends RunOptions, GenerateInputs {}
