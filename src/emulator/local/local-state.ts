import type { EngineMemory } from '../engine-outage.js';
import { anything, bytes, list, mapOf, members, number, object, optional, text } from '../state/read.js';
import { ServerError } from './python.js';
import type { LocalJob } from './run-local-job.js';
import type { LocalService } from './local-service.js';
import { savedFile, storedFile } from '../store/saved-file.js';
import { submissionNumbers } from './submission-numbers.js';
import { savedWaiting, saveWaiting, submissionOf } from '../scheduler/saved-job.js';

const savedJob = object({ job: savedWaiting, shownNumber: anything, clientId: anything });

/** Reads what is kept of a local server. */
const savedLocal = object({
  drawn: number,
  lastNumber: number,
  files: list(savedFile),
  history: mapOf(members),
  queue: list(savedJob),
  editorSettings: mapOf(anything),
  userNames: list(text),
  userdata: mapOf(object({ bytes, createdAt: number, modifiedAt: number })),
  userFolders: optional(list(text)),
});

/** What is kept of a local server: files, history, queue, and what the editor stored. A job that runs begins anew. */
export const saveLocal = (service: LocalService): ReturnType<typeof partsOf> => partsOf(service);

/**
 * What is left of a local server whose process has ended. On its disk are files, but for the temporary ones, which it deletes as it starts, and
 * what the editor stored.
 */
export const leftOf = (service: LocalService, keeps: EngineMemory): ReturnType<typeof partsOf> => {
  const { files, ...parts } = partsOf(service);
  const left = { ...parts, files: files.filter(({ type }) => type !== 'temp') };
  const memory = { lastNumber: submissionNumbers().last(), history: new Map(), queue: [] };
  const disk = { files: [], editorSettings: new Map(), userNames: [], userdata: new Map(), userFolders: [] };
  if (keeps === 'queue') return left;
  return keeps === 'files' ? { ...left, ...memory } : { ...left, ...memory, ...disk };
};

const partsOf = (service: LocalService) => {
  const { queue } = service;
  return {
    drawn: service.ids.drawn(),
    lastNumber: service.numbers.last(),
    files: service.files.all(),
    history: queue.history,
    queue: [...queue.running(), ...queue.pending()].map(saveLocalJob),
    editorSettings: service.editorSettings,
    userNames: [...service.userNames],
    userdata: service.userdata,
    userFolders: [...service.userFolders],
  };
};

const saveLocalJob = (job: LocalJob): unknown => ({
  job: saveWaiting(job),
  shownNumber: job.shownNumber,
  clientId: job.clientId,
});

/** Puts a local server back that has nothing yet; throws `InvalidState`. */
export const restoreLocal = (service: LocalService, state: unknown): void => {
  const saved = savedLocal(state, 'state');
  service.ids.goOnAfter(saved.drawn);
  service.numbers.goOnAfter(saved.lastNumber);
  for (const file of saved.files) service.files.put(storedFile(file));
  for (const [id, record] of saved.history) service.queue.history.set(id, record);
  for (const [name, value] of saved.editorSettings) service.editorSettings.set(name, value);
  for (const name of saved.userNames) service.userNames.add(name);
  for (const [path, file] of saved.userdata) service.userdata.set(path, file);
  for (const folder of saved.userFolders ?? []) service.userFolders.add(folder);
  for (const { job, shownNumber, clientId } of saved.queue) {
    const { id, number: place } = job;
    const submission = submissionOf(job);
    try {
      service.queue.submit(submission, { id, number: place, shownNumber, clientId }, true);
    } catch (error) {
      // A duplicate, which is queued all the same.
      if (!(error instanceof ServerError)) throw error;
    }
  }
};
