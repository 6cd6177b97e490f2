import { describe, expect, it } from 'vitest';
import type { GatewayJob } from '../../../src/server/gateway/model/gateway-jobs.js';
import { done } from '../../../src/core/protocol/steps.js';
import { hasWords, searchWords } from '../../../src/server/gateway/jobs/job-texts.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { withoutMember } from '../../../src/core/state/without-member.js';

/** Lists in lists, so many levels deep, around a text. */
const nested = (levels: number): unknown => (levels === 0 ? 'inmost' : [nested(levels - 1)]);

const job: GatewayJob = {
  record: {
    ...{ id: 'job-7', submissionId: 's', owner: 'o', client: 'c', createdAt: 1, expiresAt: 2 },
    template: 'portrait',
    metadata: { project: 'Spring (2026)' },
    workflow: {
      1: {
        class_type: 'Text',
        inputs: { text: 'A lighthouse', seed: 42, none: null },
        _meta: { title: 'Prompt' },
      },
      2: { class_type: 'Deep', inputs: { at63: nested(63) } },
      3: { class_type: 'Untitled', inputs: { list: ['by the sea', { more: 'at dusk' }] } },
    },
  },
  state: {
    ...initialJobState({ workflow: {} }),
    outputs: { 9: { images: [{ filename: 'pier_001.png', subfolder: '', type: 'output' }] } },
  },
};

const hasIn = (one: GatewayJob, search: string): boolean => done(hasWords(one, searchWords(search)));
const has = (search: string): boolean => hasIn(job, search);

describe('a search', () => {
  it.each([
    ...['job-7', 'portrait', 'spring', 'LIGHTHOUSE', 'prompt', 'sea', 'dusk', 'pier_001.png', 'inmost'],
    ...['(2026)', 'light house', ' sea \n  DUSK ', 'sea dusk pier portrait', ''],
  ])('for %j finds the job', (search) => {
    expect(has(search)).toBe(true);
  });

  it.each([
    ...['job-8', 'deep', 'untitled', '42', 'p.er', 'sea|dusk', 'sea mountain', 'mountain sea', 'null'],
  ])('for %j does not', (search) => {
    expect(has(search)).toBe(false);
  });

  it('looks no deeper than inputs of workflows nest', () => {
    const deeper = (levels: number): GatewayJob => ({
      ...job,
      record: { ...job.record, workflow: { 1: { class_type: 'Deep', inputs: { at: nested(levels) } } } },
    });
    expect([63, 64].map((levels) => hasIn(deeper(levels), 'inmost'))).toEqual([true, false]);
  });

  it('finds no word in what a job does not have', () => {
    expect(hasIn({ ...job, record: withoutMember(job.record, 'template') }, 'undefined')).toBe(false);
  });

  it('T3 pauses after each text, and looks through the beginning of a long one', () => {
    const kibi = 1024;
    const texts = ['x'.repeat(63 * kibi), 'x'.repeat(64 * kibi)].map((text) => `${text} lighthouse`);
    const found = texts.map((text) =>
      hasIn(
        {
          ...job,
          record: { ...job.record, workflow: { 1: { class_type: 'T', inputs: { text } } } },
        },
        'lighthouse',
      ),
    );
    expect(found).toEqual([true, false]);
    // The id, the template, a label, two titles or texts of nodes, two of a list, a deep one and a file.
    expect([...hasWords(job, searchWords('nowhere'))]).toHaveLength(9);
  });

  it('takes each word once, whatever blanks are around it', () => {
    expect(searchWords('  a \t\n b  ')).toHaveLength(2);
    expect(searchWords(' ')).toEqual([]);
  });
});
