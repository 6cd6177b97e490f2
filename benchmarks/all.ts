import { bundle } from './bundle.js';
import { conversion } from './conversion.js';
import { decode } from './decode.js';
import { decodeText } from './decode-text.js';
import { download } from './download.js';
import { endToEnd } from './end-to-end.js';
import { fold } from './fold.js';
import { foreign } from './foreign.js';
import { gateway } from './gateway.js';
import { iteration } from './iteration.js';
import { jobs } from './jobs.js';
import { localJobs } from './local-jobs.js';
import type { Benchmark } from './row.js';
import { slowConsumer } from './slow-consumer.js';
import { socket } from './socket.js';
import { start } from './start.js';
import { stores } from './stores.js';
import { studioScroll } from './studio-scroll.js';
import { types } from './types.js';
import { upload } from './upload.js';
import { validation } from './validation.js';

/** Every benchmark, in the order in which they run and are reported. */
export const all: readonly Benchmark[] = [
  decode,
  decodeText,
  socket,
  jobs,
  foreign,
  fold,
  slowConsumer,
  gateway,
  stores,
  iteration,
  download,
  upload,
  conversion,
  validation,
  types,
  endToEnd,
  localJobs,
  start,
  bundle,
  studioScroll,
];
