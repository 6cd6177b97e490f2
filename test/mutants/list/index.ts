import type { Mutant } from '../mutant.js';
import { connecting } from './connecting.js';
import { events } from './events.js';
import { files } from './files.js';
import { frames } from './frames.js';
import { overlooked } from './overlooked.js';
import { requests } from './requests.js';
import { resources } from './resources.js';

/** All of them. */
export const mutants: readonly Mutant[] = [
  ...connecting,
  ...events,
  ...frames,
  ...requests,
  ...files,
  ...resources,
  ...overlooked,
];
