import { schemas } from '@comfyorg/sdk/low';
import { describe, expect, it } from 'vitest';
import { contentOf, publishedId } from '../../helpers/published-v2/documents.js';
import { refusedSubmissions } from '../../helpers/published-v2/refusals.js';
import { publishedService } from '../../helpers/published-v2/service.js';
import { endedStories } from '../../helpers/published-v2/stories.js';
import type { Story } from '../../helpers/published-v2/story.js';

const jobPath = `/api/v2/jobs/${publishedId}`;

describe('a server of the published description of API v2', () => {
  const ofContract = endedStories.filter((story) => story.isOfContract);

  it.each(ofContract)("sends jobs that the vendor's schema accepts: $title", async (story) => {
    await using service = await publishedService(story);
    const submission = await fetch(`${service.baseUrl}/api/v2/jobs`, { method: 'POST', body: '{}' });
    expect(submission.status).toBe(201);
    const documents: unknown[] = [await submission.json()];
    while (documents.length <= story.polls.length)
      documents.push(await (await fetch(`${service.baseUrl}${jobPath}`)).json());
    for (const document of documents) schemas.zJob.parse(document);
    expect(documents.at(-1)).toHaveProperty('status', story.polls.at(-1)!.status);
  });

  it('fills in addresses, also below a mount', async () => {
    const [whole] = ofContract;
    await using service = await publishedService({ ...whole!, mount: '/deployment/x' });
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/deployment\/x$/u);
    await fetch(`${service.baseUrl}${jobPath}`);
    await fetch(`${service.baseUrl}${jobPath}`);
    const job = schemas.zJob.parse(await (await fetch(`${service.baseUrl}${jobPath}`)).json());
    expect(job.urls.self).toBe(`/deployment/x${jobPath}`);
    const content = await fetch(job.outputs[0]!.url);
    expect(Buffer.from(await content.arrayBuffer())).toEqual(contentOf(job.outputs[0]!.name));
    expect((await fetch(new URL(jobPath, service.baseUrl))).status).toBe(404);
  });

  it.each(refusedSubmissions)('refuses a submission: $title', async ({ answer }) => {
    await using service = await publishedService({ title: '', polls: [], submissions: [answer] });
    const refused = await fetch(`${service.baseUrl}/api/v2/jobs`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(answer.status);
    const text = await refused.text();
    expect(typeof answer.body === 'string' ? text : JSON.parse(text)).toEqual(answer.body);
  });

  it('streams frames as they are spelled, and shows the end from the final status on', async () => {
    const story: Story = {
      title: '',
      polls: [{ status: 'queued' }, { status: 'running' }, { status: 'succeeded' }],
      streams: [
        { frames: ['\uFEFF: hi\r\n\r\n', ['status', { status: 'succeeded' }]], end: 'closed' },
        { status: 501 },
      ],
    };
    await using service = await publishedService(story);
    const events = await fetch(`${service.baseUrl}${jobPath}/events`);
    expect(Buffer.from(await events.arrayBuffer()).toString()).toBe(
      '\uFEFF: hi\r\n\r\nevent: status\ndata: {"status":"succeeded"}\n\n',
    );
    expect((await fetch(`${service.baseUrl}${jobPath}/events`)).status).toBe(501);
    expect(await (await fetch(`${service.baseUrl}${jobPath}`)).json()).toEqual({ status: 'succeeded' });
    expect(service.openStreams()).toBe(0);
  });
});
