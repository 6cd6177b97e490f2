import { aJob } from './a-job.js';
import { expect, it } from 'vitest';
import { outputsOfJob } from '../../../src/server/gateway/v2/output-documents.js';
import { serviceFileOf } from '../../../src/server/gateway/v2/found-asset.js';

it('the service’s file of an asset is that of the output, or the upload as calls name it', () => {
  const job = aJob(
    {},
    { outputs: { 9: { images: [{ filename: 'a.png', subfolder: 's', type: 'output' }] } } },
  );
  const [output] = outputsOfJob(job);
  expect(serviceFileOf({ _tag: 'output', job, output: output! })).toMatchObject({
    ...{ filename: 'a.png', subfolder: 's', type: 'output' },
  });
  const record = {
    ...{ id: 'u', owner: 'ann', client: 'one', sizeBytes: 3, contentType: 'image/png', createdAt: 1 },
  };
  const stored = { name: 'b.png', subfolder: 'in', type: 'input' } as const;
  const asset = { id: 'asset of the service' };
  expect(serviceFileOf({ _tag: 'upload', record: { ...record, stored } })).toEqual({
    ...{ filename: 'b.png', subfolder: 'in', type: 'input' },
  });
  expect(serviceFileOf({ _tag: 'upload', record: { ...record, stored: { ...stored, asset } } })).toEqual({
    ...{ filename: 'b.png', subfolder: 'in', type: 'input', asset },
  });
});
