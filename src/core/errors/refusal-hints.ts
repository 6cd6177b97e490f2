import { isJsonObject } from '../protocol/json/json.js';

/** What to do about a refusal (400, 402 or 403) that a service of the cloud names by this word; undefined for any other word. */
export const refusalHint = (errorType: string | undefined): string | undefined => {
  const word = errorType?.toUpperCase() ?? '';
  return Object.hasOwn(hints, word) ? hints[word] : undefined;
};

const browser = 'The service takes this from a browser session of its own site only: send an API key.';
const paidNodes = 'take these nodes out of the workflow.';

/** One for each word (docs/protocol.md, chapter 3). */
const hints: Readonly<Record<string, string>> = {
  FREE_TIER_EXHAUSTED: 'The free runs are used up: choose a plan, then resume the client.',
  FREE_TIER_NOT_ALLOWED: 'The free tier may not do this: choose a plan, then resume the client.',
  PARTNER_NODE_PAYMENT_REQUIRED: `Add credits for paid nodes, or ${paidNodes}`,
  MODEL_PAYMENT_REQUIRED: 'Choose a plan that has this model, or take another model.',
  PARTNER_NODE_DISABLED: `Ask the owner of the workspace to allow them, or ${paidNodes}`,
  WORKSPACE_ID_INVALID: 'A key belongs to one workspace: leave the option workspace out, or name that one.',
  WORKSPACE_ACCESS_DENIED: 'Check the option workspace: the account is no member of such a one.',
  NO_WORKSPACE_ACCESS: 'Join or create a workspace on the site of the service.',
  SSO_REQUIRED: 'Sign in through the organisation, and take the credential that it gives.',
  AUTH_TYPE_NOT_ALLOWED:
    'Send a credential of a kind that the message names; the option auth says how it is sent.',
  ORIGIN_NOT_ALLOWED: browser,
  CROSS_SITE_REQUEST: browser,
  CSRF_INVALID: browser,
};

/** Whether a refusal concerns the workflow that was submitted, so that another one may be accepted. */
export const concernsWorkflow = (errorType: string | undefined): boolean =>
  /^(?:PARTNER_NODE|MODEL)_/u.test(errorType?.toUpperCase() ?? '');

/** What a refusal lists beside its sentence, for that sentence: accepted credentials, refused classes, an organisation. */
export const listedIn = (...bodies: readonly unknown[]): string | undefined => {
  const found = bodies.filter(isJsonObject).flatMap((body) =>
    ['accepted', 'class_types', 'organization_id'].flatMap((name) => {
      const value = body[name];
      const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
      return texts.length === 0 ? [] : [`${name}: ${texts.join(', ')}`];
    }),
  );
  return found.length === 0 ? undefined : found.join('; ');
};
