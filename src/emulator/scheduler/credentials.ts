import type { EventData } from '../messages.js';

/** The members of `extra_data` but its credentials. */
export const withoutCredentials = (extraData: EventData): EventData =>
  Object.fromEntries(Object.entries(extraData).filter(([name]) => !credentials.has(name)));

const credentials: ReadonlySet<string> = new Set(['api_key_comfy_org', 'auth_token_comfy_org']);
