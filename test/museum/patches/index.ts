import type { Patch } from '../patch.js';
import { connecting } from './connecting.js';
import { events } from './events.js';
import { files } from './files.js';
import { frames } from './frames.js';
import { overlooked } from './overlooked.js';
import { requests } from './requests.js';
import { resources } from './resources.js';

/** The whole museum. */
export const patches: readonly Patch[] = [
  ...connecting,
  ...events,
  ...frames,
  ...requests,
  ...files,
  ...resources,
  ...overlooked,
];
