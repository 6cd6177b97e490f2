import type { ConformanceCase } from '../conformance-case.js';
import { NotAllowed } from '../wire.js';

/** A statement that a service can't be asked about from outside, or not without harm; the report has it with the reason. */
export const notChecked = (id: string, title: string, reason: string): ConformanceCase => ({
  ...{ id, title },
  run: () => Promise.reject(new NotAllowed(reason)),
});
