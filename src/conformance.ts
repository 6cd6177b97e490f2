/**
 * The statements of the protocol as checks of a living service.
 *
 * @packageDocumentation
 */
export { runConformance } from './conformance/run-conformance.js';
export { junitReport, textReport } from './conformance/report.js';

export type { ConformanceOptions, ConformanceReport, Verdict } from './conformance/run-conformance.js';
export type { Exchange } from './conformance/wire.js';
export type { Profile, Tier } from './conformance/target.js';
