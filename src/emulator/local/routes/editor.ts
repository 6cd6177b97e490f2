import { empty, localJson, readBody, readObject } from '../local-http.js';
import { ServerError } from '../python.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /users`: a server of one user. */
export const users: LocalHandler = () => localJson({ storage: 'server', migrated: true });

/** `POST /users`: adds a user, of whom a server of one user makes nothing; the answer is the id. */
export const addUser: LocalHandler = async ({ service: { userNames, ids }, text }) => {
  const { username } = readObject(await text());
  if (typeof username !== 'string' || username.trim() === '') throw new ServerError('username not provided');
  if (username === 'default' || userNames.has(username))
    return localJson({ error: 'Duplicate username.' }, 400);
  userNames.add(username.trim());
  return localJson(`${username.trim().replaceAll(/[^\w-]+/gu, '-')}_${ids.uuid()}`);
};

/** `GET /settings`: everything that the editor has stored. */
export const listSettings: LocalHandler = ({ service }) =>
  localJson(Object.fromEntries(service.editorSettings));

/** `GET /settings/{id}`: one value; null if it was never set. */
export const setting: LocalHandler = ({ service, params: [id = ''] }) =>
  localJson(service.editorSettings.get(id) ?? null);

/** `POST /settings`: adds all members of the body; answers nothing. */
export const storeSettings: LocalHandler = async ({ service, text }) => {
  for (const [id, value] of Object.entries(readObject(await text()))) service.editorSettings.set(id, value);
  return empty(200);
};

/** `POST /settings/{id}`: the body is the value; answers nothing. */
export const storeSetting: LocalHandler = async ({ service, params: [id = ''], text }) => {
  service.editorSettings.set(id, readBody(await text()));
  return empty(200);
};

/** `GET /i18n` and `GET /workflow_templates`: what packages of nodes bring; always empty. */
export const nothingOfPackages: LocalHandler = () => localJson({});
