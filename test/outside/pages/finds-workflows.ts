// Runs in the page: finds workflows in files that are dropped there, by the browser's own Blob and DecompressionStream.
import { workflowIn } from '../../../src/workflow.js';

declare const settings: { readonly files: readonly (readonly [what: string, base64: string])[] };

const found: Record<string, unknown> = {};
for (const [what, base64] of settings.files) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const search = await workflowIn(new File([bytes], what));
  found[what] = search._tag === 'Found' ? [search.prompt?.text, search.workflow?.text] : search;
}
await fetch('/report', { method: 'POST', body: JSON.stringify(found) });
