// Runs in the page: a job from end to end over the browser's own WebSocket and fetch.
import { lastValueFrom, tap } from 'rxjs';
import { createClient, previews, type Preview, type Workflow } from '../../../src/browser.js';

declare const settings: { readonly apiKey: string; readonly workflow: Workflow };

const seen = { states: 0, previews: [] as Preview[] };
const client = createClient({ baseUrl: location.origin, apiKey: settings.apiKey });
client.frames
  .pipe(previews())
  .subscribe({ next: (preview) => seen.previews.push(preview), error: () => undefined });

const { phase, outputs } = await lastValueFrom(
  client.run(settings.workflow).pipe(tap(() => (seen.states += 1))),
);
const uploaded = await client.rest.uploadImage({
  content: new Blob([new Uint8Array(16)]),
  filename: 'a.bin',
})();
const [image] = Object.values(outputs).flatMap(
  (node) => node['images'] as readonly { readonly filename: string }[],
);
const viewed = image === undefined ? undefined : await client.rest.view(image)();
await client.close();

await fetch('/report', {
  method: 'POST',
  body: JSON.stringify({
    phase,
    states: seen.states,
    outputs: Object.keys(outputs).length,
    previewTypes: [...new Set(seen.previews.map(({ mediaType }) => mediaType))],
    previewNodes: [...new Set(seen.previews.map(({ nodeId }) => nodeId))],
    uploaded: uploaded._tag,
    viewed: viewed?._tag === 'Left' ? viewed.left._tag : viewed?._tag,
  }),
});
