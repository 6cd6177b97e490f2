import { pathPart } from '../../../core/protocol/path-part.js';

/** An id of a job as BullMQ takes it: none of its own names, no number, and no character that it divides keys by. */
const plain = /^(?!id-|\d+$)[\w.-]+$/u;

/**
 * The id by which BullMQ keeps a slot token or a delivery: the job's own, or, where that would be one of BullMQ's keys or is refused by it, one
 * that {@link jobIdOf} reads.
 *
 * @param reserved - What BullMQ keeps beside its jobs, such as `delayed`.
 */
export const engineIdOf = (id: string, reserved: readonly string[]): string =>
  plain.test(id) && !reserved.includes(id) ? id : `id-${pathPart(id)}`;

/** The id of the job whose slot token or delivery BullMQ keeps by this id. */
export const jobIdOf = (engineId: string): string =>
  engineId.startsWith('id-') ? decodeURIComponent(engineId.slice(3)) : engineId;
