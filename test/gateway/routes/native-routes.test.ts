import { describe, expect, it } from 'vitest';
import { aGateway, withJson } from '../v2/a-gateway.js';
import { aJob } from '../v2/a-job.js';
import { right } from '../../../src/core/protocol/either.js';
import { template } from '../../../src/workflow/edit/template.js';

const workflow = {
  6: { class_type: 'CLIPTextEncode', inputs: { text: 'a cat' }, _meta: { title: 'Positive' } },
  10: { class_type: 'LoadImage', inputs: { image: 'x.png' } },
};

const templates = () => {
  const made = template(workflow, {
    prompt: 'Positive.text',
    image: { class: 'LoadImage', input: 'image', optional: true },
  });
  if (made._tag === 'Left') throw made.left;
  return { portrait: made.right };
};

describe('the routes beyond API v2', () => {
  const outputs = { 9: { images: [{ filename: 'out.png', subfolder: '', type: 'output' }] } };
  const jobs = [
    aJob({ metadata: { user: 'a' } }, { phase: 'completed', outputs }),
    aJob({ id: 'of-another', owner: 'another' }),
  ];

  it("list a caller's own jobs, by the gateway's ids, with the addresses of their files", async () => {
    const gateway = aGateway({ jobs });
    const { jobs: listed } = (await gateway.ask('GET', '/jobs?status=completed')).json() as {
      readonly jobs: readonly { readonly files: readonly { readonly url: string }[] }[];
    };
    expect(listed).toMatchObject([{ id: 'a-job', state: { promptId: 'a-job', phase: 'completed' } }]);
    gateway.stored.set('out.png', new Blob(['bytes']));
    const { pathname } = new URL(listed[0]!.files[0]!.url);
    expect((await gateway.ask('GET', pathname)).text).toBe('bytes');
    expect((await gateway.ask('GET', '/jobs?status=running')).json()).toEqual({ jobs: [] });
  });

  it('N5 write integers beyond 2^53 of outputs and inputs as they are', async () => {
    const text = { 9: { seeds: [18446744073709551615n] } };
    const gateway = aGateway({ jobs: [aJob({}, { phase: 'completed', outputs: text })] });
    for (const path of ['/jobs', '/jobs/a-job'])
      expect((await gateway.ask('GET', path)).text).toContain('"seeds":[18446744073709551615]');
  });

  it("answer another caller's job, its outputs and its end as those of an unknown one", async () => {
    const gateway = aGateway({ jobs });
    const output = 'of-another.0123456789abcdef';
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['GET', `/outputs/${output}`],
    ] as const) {
      const foreign = await gateway.ask(method, `/jobs/of-another${path}`);
      const unknown = await gateway.ask(method, `/jobs/unknown${path}`);
      expect(foreign.status).toBe(404);
      expect(foreign.json()).toEqual(unknown.json());
      expect(foreign.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it('send previews as bytes, and events in the form that is asked for', async () => {
    const gateway = aGateway({ jobs });
    const preview = await gateway.ask('GET', '/jobs/a-job/previews/3');
    expect([preview.headers.get('content-type'), preview.text]).toEqual(['image/jpeg', '\u0001\u0002']);
    expect((await gateway.ask('GET', '/jobs/a-job/previews/4')).status).toBe(404);
    const type = async (accept: string) =>
      (await gateway.ask('GET', '/events', { headers: { accept } })).headers.get('content-type');
    expect(await type('text/event-stream')).toBe('text/event-stream');
    expect(await type('application/x-ndjson')).toBe('application/x-ndjson');
    expect((await gateway.ask('GET', '/events?from=noon')).status).toBe(400);
  });

  it('take uploads raw or as a form, and give what a workflow refers to them by', async () => {
    const gateway = aGateway();
    const raw = await gateway.ask('POST', '/uploads?filename=cat.png', {
      body: 'abc',
      headers: { 'content-type': 'image/png' },
    });
    expect(raw.json()).toMatchObject({
      name: 'cat.png',
      subfolder: '',
      type: 'input',
      mediaType: 'image/png',
    });
    const form = new FormData();
    form.set('file', new Blob(['abc']), 'cat.png');
    const again = await gateway.ask('POST', '/uploads', { body: form });
    expect([raw.status, again.status]).toEqual([201, 200]);
    expect(again.json()['asset']).toEqual(raw.json()['asset']);
  });

  it('take masks of uploads and of outputs of the caller alone', async () => {
    const gateway = aGateway({ jobs });
    const { asset } = (await gateway.ask('POST', '/uploads?filename=cat.png', { body: 'abc' })).json();
    const { id } = asset as { readonly id: string };
    const { files } = (await gateway.ask('GET', '/jobs/a-job')).json() as {
      readonly files: readonly { readonly id: string }[];
    };
    for (const [original, name] of [
      [id, `${id}.png`],
      [files[0]!.id, 'out.png'],
    ] as const) {
      const path = `/uploads?filename=m.png&mask_of=${original}`;
      const made = await gateway.ask('POST', path, { body: 'mask' });
      const { asset: masked, mediaType } = made.json() as {
        readonly asset: { readonly id: string };
        readonly mediaType: string;
      };
      expect([made.status, mediaType]).toEqual([201, 'image/png']);
      expect(masked.id).not.toBe(id);
      expect(await gateway.stored.get(`${masked.id}.png`)?.text()).toBe(`mask of ${name}`);
      const headers = { authorization: 'another' };
      expect((await gateway.ask('POST', path, { body: 'mask', headers })).status).toBe(404);
    }
    const form = new FormData();
    form.set('file', new Blob(['mask']), 'm.png');
    form.set('mask_of', id);
    expect((await gateway.ask('POST', '/uploads', { body: form })).status).toBe(201);
  });
});

describe('templates', () => {
  it('are listed with the schema of their inputs', async () => {
    const gateway = aGateway({ templates: templates() });
    expect((await gateway.ask('GET', '/templates')).json()).toMatchObject({
      templates: [{ name: 'portrait', jsonSchema: { required: ['prompt'], additionalProperties: false } }],
    });
  });

  it('become a job of their workflow with the inputs in it, also of an uploaded file', async () => {
    const gateway = aGateway({ templates: templates() });
    const file = (await gateway.ask('POST', '/uploads?filename=cat.png', { body: 'abc' })).json();
    const { id } = file['asset'] as { readonly id: string };
    const body = { inputs: { prompt: 'a dog', image: file }, metadata: { user: 'a' } };
    const made = await gateway.ask('POST', '/templates/portrait', withJson(body, { 'idempotency-key': 'k' }));
    expect(made.status).toBe(201);
    expect(gateway.submissions).toMatchObject([
      {
        template: 'portrait',
        key: 'k',
        metadata: { user: 'a' },
        workflow: {
          6: { inputs: { text: 'a dog' } },
          10: { inputs: { image: { __type: 'core/ASSET', info: { id } } } },
        },
        resolved: { 10: { inputs: { image: `${id}.png` } } },
      },
    ]);
  });

  it.each([
    ['a wrong input', { inputs: { prompt: 7 } }, ['prompt']],
    ['a missing one', { inputs: {} }, ['prompt']],
    ['an unknown one', { inputs: { prompt: 'a', promt: 'b' } }, ['promt']],
  ])('refuse %s by its name', async (_, body, names) => {
    const gateway = aGateway({ templates: templates() });
    const refused = await gateway.ask('POST', '/templates/portrait', withJson(body));
    expect(refused.status).toBe(422);
    const { code, problems } = refused.json() as {
      readonly code: string;
      readonly problems: readonly { readonly name: string }[];
    };
    expect([code, problems.map(({ name }) => name)]).toEqual(['invalid_inputs', names]);
    expect(gateway.submissions).toEqual([]);
  });

  it('that do not exist are a 404, also those named as members of objects', async () => {
    const gateway = aGateway({ templates: { own: Object.assign(() => right({}), { jsonSchema: {} }) } });
    for (const name of ['other', 'constructor', '__proto__']) {
      const refused = await gateway.ask('POST', `/templates/${name}`, withJson({}));
      expect([refused.status, refused.json()['code']]).toEqual([404, 'template_not_found']);
    }
  });
});
