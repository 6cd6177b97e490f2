import { describe, expect, it } from 'vitest';
import { glb, mp4Tags, safetensors, svg } from './write-media.js';
import { png, pngChunk, pngDeflated, pngText, pngUnicode, wavInfo } from './write-pictures.js';
import { prompt, samples, workflow } from './samples.js';
import { workflowIn, writeExactJson } from '../../../src/workflow.js';

const executed = { 3: { inputs: { seed: 2n ** 64n - 1n, text: 'café: a=b' }, class_type: 'KSampler' } };

describe('workflowIn', () => {
  it.each(samples)('finds both texts as they were written: %s', async (_, format, file) => {
    expect(await workflowIn(file)).toEqual({
      _tag: 'Found',
      format,
      prompt: { text: prompt, value: executed },
      workflow: { text: workflow, value: JSON.parse(workflow) as unknown },
    });
  });

  it.each([
    ['an array buffer', (file: Buffer) => new Uint8Array(file).buffer],
    ['a blob', (file: Buffer) => new Blob([new Uint8Array(file)])],
    [
      'a reader',
      (file: Buffer) => ({ size: file.length, read: (a: number, b: number) => file.subarray(a, b) }),
    ],
  ])('reads %s', async (_, sourceOf) => {
    for (const [what, format, file] of samples)
      expect(await workflowIn(sourceOf(file)), what).toMatchObject({ _tag: 'Found', format });
  });

  it('P4: finds chunks after the end of a PNG, and looks at nothing else there', async () => {
    const picture = png([]);
    const appended = (chunk: readonly [string, Uint8Array]) => Buffer.concat([picture, pngChunk(chunk)]);
    expect(await workflowIn(appended(pngText('prompt', prompt)))).toMatchObject({
      _tag: 'Found',
      prompt: { text: prompt },
    });
    for (const more of ['', 'short', 'no chunk, but text', '\0\xff\xff\xfftEXtprompt\0{'])
      expect(await workflowIn(Buffer.concat([picture, Buffer.from(more, 'latin1')]))).toEqual({
        _tag: 'None',
        format: 'png',
      });
  });

  it.each([
    ['a body for RunPod', (graph: object) => ({ input: { workflow: graph } })],
    ['an object of another program', (graph: object) => ({ job: { payload: { graph }, tries: 2 } })],
    ['a list', (graph: object) => [graph]],
    ['a job of a queue', (graph: object) => [7, 'id', graph, {}, ['9']]],
    ['a history', (graph: object) => ({ id: { prompt: [7, 'id', graph, {}, ['9']], outputs: {} } })],
  ])('P4: finds the graph in JSON that is %s', async (_, wrap) => {
    const graph = { 9: { class_type: 'SaveImage', inputs: { seed: 2n ** 60n + 1n } } };
    const found = await workflowIn(new TextEncoder().encode(writeExactJson(wrap(graph))));
    expect(found).toMatchObject({ _tag: 'Found', format: 'json', prompt: { value: graph } });
  });

  it("P4: finds both in what the editor's own conversion gives, and in a submission", async () => {
    const [output, editor] = [{ 9: { class_type: 'SaveImage', inputs: {} } }, { nodes: [], links: [] }];
    const given = [
      { output, workflow: editor },
      { prompt: output, extra_data: { extra_pnginfo: { workflow: editor } } },
    ];
    for (const wrapped of given)
      expect(await workflowIn(new TextEncoder().encode(JSON.stringify(wrapped)))).toMatchObject({
        prompt: { value: output },
        workflow: { value: editor },
      });
  });

  it('P4: takes no list of anything else for a workflow, and no text in brackets for JSON', async () => {
    const read = (text: string) => workflowIn(new TextEncoder().encode(text));
    expect(await read('[1, 2, {"a": []}]')).toEqual({ _tag: 'None', format: 'json' });
    expect(await read('[section]\nname = 1')).toEqual({ _tag: 'None' });
  });

  it('P4: reads JSON in UTF-16 by its mark, and tells where it takes bytes for Latin-1', async () => {
    const little = Buffer.from(`\uFEFF${workflow}`, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\uFEFF${workflow}`)])
      expect(await workflowIn(bytes)).toEqual({
        _tag: 'Found',
        format: 'json',
        workflow: { text: workflow, value: JSON.parse(workflow) as unknown },
      });
    const latin = '{"1": {"class_type": "A", "inputs": {"text": "café"}}}';
    expect(await workflowIn(Buffer.from(latin, 'latin1'))).toMatchObject({
      _tag: 'Found',
      prompt: { text: latin },
      problem: { reason: 'not-utf-8' },
    });
  });

  it('finds one text alone', async () => {
    expect(await workflowIn(png([pngText('workflow', workflow)]))).toMatchObject({
      _tag: 'Found',
      workflow: { text: workflow },
    });
    expect(await workflowIn(Buffer.from(prompt))).toMatchObject({ format: 'json', prompt: { text: prompt } });
    expect(await workflowIn(Buffer.from(workflow))).toMatchObject({ workflow: { text: workflow } });
  });

  it('takes the first of two texts with the same name', async () => {
    const search = await workflowIn(png([pngText('prompt', prompt), pngText('prompt', '{}')]));
    expect(search).toMatchObject({ prompt: { text: prompt } });
  });

  it('reads letters of every encoding that PNG has', async () => {
    const text = '{"1": "café 猫"}';
    const latin = '{"1": "café"}';
    for (const [chunk, expected] of [
      [pngUnicode('prompt', text), text],
      [pngUnicode('prompt', text, true), text],
      [pngText('prompt', latin), latin],
      [pngDeflated('prompt', Buffer.from(latin, 'latin1')), latin],
      [['tEXt', Buffer.from(`prompt\0${text}`)], text],
    ] as const)
      expect(await workflowIn(png([chunk]))).toMatchObject({ prompt: { text: expected } });
  });

  it('reads the numbers of Python that JSON lacks as null, and leaves them in the text', async () => {
    const text = '{"1": {"class_type": "X", "inputs": {"is_changed": [NaN, -Infinity]}}}';
    expect(await workflowIn(png([pngText('prompt', text)]))).toMatchObject({
      prompt: { text, value: { 1: { inputs: { is_changed: [null, null] } } } },
    });
  });

  it('splits CDATA where the text has its end', async () => {
    const metadata = `<metadata>\n<![CDATA[{"prompt": {"1": "]]]]><![CDATA[>"}}]]>\n</metadata>`;
    expect(await workflowIn(svg(metadata))).toMatchObject({ prompt: { value: { 1: ']]>' } } });
  });

  it.each([
    ['a PNG of other software', png([pngText('prompt', 'a cat'), pngText('parameters', 'Steps: 20')]), 'png'],
    ['a PNG without texts', png([]), 'png'],
    ['an MP4 with other tags', mp4Tags({ title: 'x', encoder: '{}' }), 'mp4'],
    ['a WAV with other texts', wavInfo('INAM', 'prompt'), 'wav'],
    ['a model without metadata', safetensors({}), 'safetensors'],
    ['a scene without metadata', glb({ asset: { version: '2.0' } }), 'glb'],
    ['a drawing without metadata', svg(''), 'svg'],
    ['a JSON list of something else', Buffer.from('[1, 2]'), 'json'],
    ['a JSON object of something else', Buffer.from('{"name": "x", "prompt": "a cat"}'), 'json'],
  ])('finds none in %s', async (_, file, format) => {
    expect(await workflowIn(file)).toEqual({ _tag: 'None', format });
  });

  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['a text', Buffer.from('hello')],
    ['a list in no JSON', Buffer.from('[one, two]')],
    ['a GIF', Buffer.from('GIF89a')],
  ])('finds none in %s, which is no format that it knows', async (_, file) => {
    expect(await workflowIn(file)).toEqual({ _tag: 'None' });
  });

  it('tells a text that is not JSON, and finds the other one all the same', async () => {
    const problem = { reason: 'not-json', message: 'Its prompt is not valid JSON.' };
    const broken = pngText('prompt', '{"1": ');
    expect(await workflowIn(png([broken]))).toEqual({ _tag: 'Problem', format: 'png', problem });
    expect(await workflowIn(png([broken, pngText('workflow', workflow)]))).toMatchObject({
      _tag: 'Found',
      workflow: { text: workflow },
      problem,
    });
    expect(await workflowIn(Buffer.from('{"nodes": [{'))).toMatchObject({ problem: { reason: 'not-json' } });
  });

  it('tells a file that ends early, unless it was found before', async () => {
    for (const [what, format, file] of samples.filter(([, kind]) => kind !== 'json')) {
      const end = Math.max(...['KSampler', 'K\0S\0a\0'].map((text) => file.lastIndexOf(text)));
      if (end === -1) continue;
      const search = await workflowIn(file.subarray(0, end));
      expect(search, what).toMatchObject(
        search._tag === 'Found'
          ? { format, problem: { reason: 'truncated' } }
          : { _tag: 'Problem', format, problem: { reason: 'truncated' } },
      );
    }
    const whole = png([pngText('prompt', prompt), pngText('workflow', workflow)]);
    expect(await workflowIn(whole.subarray(0, whole.indexOf('IDAT') + 6))).not.toHaveProperty('problem');
  });

  it('tells a source that fails', async () => {
    const failing = { size: 100, read: () => Promise.reject(new Error('gone')) };
    const problem = { reason: 'unreadable', message: 'The source could not be read: Error: gone' };
    expect(await workflowIn(failing)).toEqual({ _tag: 'Problem', problem });
    for (const source of [{ size: -1, read: () => new Uint8Array() }, undefined as unknown as Blob])
      expect(await workflowIn(source)).toMatchObject({ _tag: 'Problem', problem: { reason: 'unreadable' } });
  });
});
