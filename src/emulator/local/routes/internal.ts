import { asJsonObject } from '../../http/request.js';
import { empty, localJson, readBody } from '../local-http.js';
import type { LocalHandler } from '../local-service.js';
import { ServerError } from '../python.js';
import { terminalSize } from '../local-log.js';

/** `GET /internal/logs`: the log as one text, in JSON. */
export const logText: LocalHandler = ({ service: { log } }) =>
  localJson(log.entries.map(({ t, m }) => `${t} - ${m}`).join(''));

/** `GET /internal/logs/raw`: the log line by line, and the size of the terminal. */
export const rawLogs: LocalHandler = ({ service: { log } }) =>
  localJson({ entries: log.entries, size: terminalSize });

/** `GET /internal/files/{type}`: the files at the top of a folder, the newest first. */
export const folderFiles: LocalHandler = ({ service: { files }, params: [type = ''] }) =>
  type === 'output' || type === 'input' || type === 'temp'
    ? localJson(files.top(type).map((filename) => `${filename} [${type}]`))
    : localJson({ error: 'Invalid directory type' }, 400);

/** `GET /internal/folder_paths`: where the models of each kind are. */
export const folderPaths: LocalHandler = () => localJson({ checkpoints: ['/engine/models/checkpoints'] });

/** `PATCH /internal/logs/subscribe`: begins or ends the events `logs` of a socket; needs both members. */
export const subscribeLogs: LocalHandler = async ({ service: { log }, text }) => {
  const body = asJsonObject(readBody(await text()));
  const clientId = body?.['clientId'];
  if (typeof clientId !== 'string' || body === undefined || !('enabled' in body)) {
    throw new ServerError('clientId or enabled is missing');
  }
  log.subscribe(clientId, Boolean(body['enabled']));
  return empty(200);
};
