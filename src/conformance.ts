/**
 * The statements of the protocol as checks of a living service.
 *
 * @packageDocumentation
 */
export { runConformance } from './testing/conformance/run-conformance.js';
export { junitReport, textReport } from './testing/conformance/report.js';

export type {
  ConformanceOptions,
  ConformanceReport,
  Verdict,
} from './testing/conformance/run-conformance.js';
export type { Exchange } from './testing/conformance/wire.js';
export type { Profile, Tier } from './testing/conformance/target.js';
