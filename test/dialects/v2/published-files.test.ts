import { describe, expect, it } from 'vitest';
import { publishedService } from '../../helpers/published-v2/service.js';
import { uploadStories } from '../../helpers/published-v2/uploads.js';
import { publishedClient } from '../../helpers/published-v2/client.js';

describe.concurrent('uploads of a client of API v2 to a server of its published description', () => {
  it.each(uploadStories)('$title', async ({ assets, posts, error }) => {
    await using service = await publishedService({ title: '', polls: [], assets });
    await using own = publishedClient(service);
    const source = { content: Uint8Array.of(1, 2, 3), filename: 'cat.png' };
    const answer = await own.client.rest.uploadImage(source)();
    expect(answer._tag === 'Left' ? answer.left._tag : undefined).toBe(error);
    const sent = service.seen.filter(({ method, url }) => method === 'POST' && url.endsWith('/assets'));
    expect(sent).toHaveLength(posts);
    for (const { headers, body } of sent) {
      expect(headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u);
      const parts = body.toString('latin1').matchAll(/form-data; name="?([^";\r]+)/gu);
      expect([...parts].map(([, name]) => name).at(-1)).toBe('file');
    }
  });
});
