import type { HttpDialect } from '../../http/connection.js';

/** What a word of API v2 asks of the user, where the status alone would say something else (docs/protocol.md, chapter 12.2). */
const hints: Readonly<Record<string, string>> = {
  sso_required: 'Sign in to the organization by its single sign-on, and use a key of that account.',
  deployment_stopped: 'Start the deployment, then submit the workflow again: nothing was submitted.',
  deployment_not_ready: 'The deployment is starting: submit the workflow again in a moment.',
  missing_asset: 'Upload the file that the message names, and put the new reference into the workflow.',
  workflow_format_ui: 'Convert the workflow, or export it in API format from the editor.',
};

/** The hint of a refusal of API v2. */
export const explainRefusal: HttpDialect['explainRefusal'] = (
  { path, idempotency },
  status,
  errorType = '',
) => {
  if (Object.hasOwn(hints, errorType)) return { hint: hints[errorType] };
  return status === 404 && idempotency === 'submission'
    ? {
        hint: `There is no ${path} at this address: check baseUrl, and that the server speaks API v2 (dialect).`,
      }
    : undefined;
};
