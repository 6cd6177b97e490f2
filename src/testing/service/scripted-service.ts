import {
  defaultBaseUrl,
  memoryService,
  type ScriptedService,
  type ScriptedServiceOptions,
} from './memory-service.js';
import { defaultScript } from './job-script.js';
import { virtualClock } from '../virtual-clock.js';

/**
 * Makes a service in memory whose jobs and faults are data, for tests of programs that use a client.
 *
 * `createClient(service)` makes a client on it. Time stands still until `service.clock` advances; ids and randomness are the same
 * in every run. It opens no socket and no file, needs no test runner and runs in a browser as well. Its answers are those of
 * docs/protocol.md, chapters 2 to 8 and 11; it validates no workflow, which `startEmulator` does.
 *
 * @example
 * ```ts
 * import { createClient, type Workflow } from 'promptwire';
 * import { scriptedService } from 'promptwire/testing';
 * import { lastValueFrom } from 'rxjs';
 *
 * const phaseAfterDrop = async (workflow: Workflow) => {
 *   const service = scriptedService({ faults: [{ kind: 'dropped socket', atMs: 150 }] });
 *   await using client = createClient(service);
 *   const { phase } = await service.clock.until(lastValueFrom(client.run(workflow)));
 *   return phase; // completed
 * };
 * ```
 */
export const scriptedService = (options: ScriptedServiceOptions = {}): ScriptedService =>
  memoryService(options, {
    baseUrl: defaultBaseUrl(options.dialect ?? 'cloud'),
    clock: virtualClock(),
    uuid: counted('00000000'),
    newId: counted('10000000'),
    script: defaultScript,
    picture: () => pixel,
  });

/** UUIDs in the order of the numbers, the same in every run. */
const counted = (first: string): (() => string) => {
  let count = 0;
  return () => `${first}-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
};

/** A PNG of one transparent pixel. */
const pixel = /* @__PURE__ */ Uint8Array.from(
  /* @__PURE__ */ atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
);
