import { aRemote, type Asked } from './a-remote.js';
import { deleteJob, deleteJobs } from '../../src/page/remote/delete-jobs.js';
import { deleteTemplate, readTemplate, saveTemplate, templates } from '../../src/page/remote/templates.js';
import { describe, expect, it } from 'vitest';
import { life, submitted } from '../gateway/support.js';
import { settle } from '../helpers/settle.js';

const workflow = { 6: { class_type: 'Encode', inputs: { text: 'a cat' }, _meta: { title: 'Positive' } } };
const inputs = { prompt: { title: 'Positive', input: 'text', label: 'What to paint' } };

/** A remote whose gateway gives one answer. */
const answered = async (body: unknown, status = 200) => {
  const asked: Asked[] = [];
  const setting = await aRemote({
    before: (one) => {
      asked.push(one);
      return Response.json(body, { status });
    },
  });
  return { ...setting, asked };
};

describe('jobs that a remote deletes', () => {
  it('are gone once they ended, and stay while they run', async () => {
    const setting = await aRemote();
    const { remote, service, clock } = setting;
    const [{ record: over }, { record: runs }] = [await submitted(setting), await submitted(setting)];
    for (const state of life('p1')) service.jobs[0]!.move(state);
    await settle();
    await expect(clock.until(deleteJob(remote, runs.id))).rejects.toMatchObject({
      ...{ _tag: 'BadRequest', status: 409, errorType: 'job_running' },
    });
    expect(await deleteJob(remote, over.id)).toBe('kept');
    await expect(clock.until(deleteJob(remote, over.id))).rejects.toMatchObject({ _tag: 'NotFound' });
    expect(await deleteJobs(remote, [over.id, runs.id])).toEqual([
      { id: over.id, result: 'unknown' },
      { id: runs.id, result: 'running' },
    ]);
    expect((await remote.list()).jobs.map(({ id }) => id)).toEqual([runs.id]);
  });

  it.each([[{}], [{ files: 'lost' }], [{ jobs: [{ id: 1 }] }]])('take %j for no answer', async (body) => {
    const { remote, clock } = await answered(body);
    await expect(clock.until(deleteJob(remote, 'a'))).rejects.toMatchObject({ _tag: 'Decode' });
    await expect(clock.until(deleteJobs(remote, ['a']))).rejects.toMatchObject({ _tag: 'Decode' });
  });
});

describe('templates that a remote saves', () => {
  it('are listed, read, run and deleted', async () => {
    const setting = await aRemote();
    const { remote, clock } = setting;
    const saved = await saveTemplate(remote, 'a portrait', { workflow, inputs, title: 'Portrait' });
    expect(saved).toMatchObject({ name: 'a portrait', own: true, title: 'Portrait' });
    expect(await templates(remote)).toEqual([saved]);
    expect(await readTemplate(remote, 'a portrait')).toEqual({ ...saved, workflow });
    await deleteTemplate(remote, 'a portrait');
    expect(await templates(remote)).toEqual([]);
    await expect(clock.until(deleteTemplate(remote, 'a portrait'))).rejects.toMatchObject({
      _tag: 'NotFound',
    });
  });

  it('are refused with a reason', async () => {
    const { remote, clock } = await aRemote();
    const wrong = { workflow, inputs: { prompt: 'Negative.text' } };
    await expect(clock.until(saveTemplate(remote, 'a', wrong))).rejects.toMatchObject({
      ...{ _tag: 'BadRequest', errorType: 'invalid_template' },
    });
  });

  it('of an earlier gateway are its own', async () => {
    const { remote } = await answered({ templates: [{ name: 'a', jsonSchema: {} }] });
    expect(await templates(remote)).toEqual([{ name: 'a', jsonSchema: {}, own: false }]);
  });

  it.each([[[]], [{ templates: {} }], [{ templates: [{}] }]])('are not in %j', async (body) => {
    const { remote, clock } = await answered(body);
    await expect(clock.until(templates(remote))).rejects.toMatchObject({ _tag: 'Decode' });
    await expect(clock.until(readTemplate(remote, 'a'))).rejects.toMatchObject({ _tag: 'Decode' });
    await expect(clock.until(deleteTemplate(remote, 'a'))).rejects.toMatchObject({ _tag: 'Decode' });
  });
});
