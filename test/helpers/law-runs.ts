import fc from 'fast-check';
import { runs } from './runs.js';

// Of a law that names no number.
fc.configureGlobal({ numRuns: runs(100) });
