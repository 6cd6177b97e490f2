import { readFileSync } from 'node:fs';
import type { Schedule } from '../simulation/schedule.js';

/**
 * Schedules that the client failed once, shrunk; they are played first.
 *
 * What they found: a job that was first heard of between two looks 2 s apart was called untraceable; routes that were
 * gone made all jobs untraceable; one frame within the half minute of silence put the next look off by another one; a
 * socket that said failed was believed while the record trailed; a job that REST had answered for was given 2 s like one
 * that nobody knows.
 */
export const regressions = (): readonly Schedule[] =>
  JSON.parse(readFileSync(new URL('regressions.json', import.meta.url), 'utf8')) as readonly Schedule[];
