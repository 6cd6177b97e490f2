import { afterAll } from 'vitest';
import { closeAll } from './after-file.js';

// A file of set-up runs anew before each file of tests.
afterAll(closeAll);
