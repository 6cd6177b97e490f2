import { json, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { readJsonObject } from '../http/read-json.js';
import { mergeMask } from '../store/merge-mask.js';
import { readUpload, sizeProblem } from './read-upload.js';

/** `POST /api/upload/mask`: keeps the original with the upload's alpha, as PNG. */
export const uploadMask: Handler = async (request) => {
  const form = await readUpload(request);
  if (!('upload' in form)) return form;
  const reference = readJsonObject(form.field('original_ref') ?? '');
  const filename = text(reference?.['filename']);
  if (filename === undefined) {
    return refusal(400, 'BAD_REQUEST', '`original_ref` takes a JSON text with a `filename`.');
  }
  const { files } = request.account;
  const original = files.find(
    filename,
    text(reference?.['type']) ?? 'output',
    text(reference?.['subfolder']) ?? '',
  );
  if (!original) return refusal(404, 'NOT_FOUND', 'There is no such original.');
  const problem = sizeProblem(original.bytes, Infinity);
  if (problem !== undefined) return refusal(400, 'BAD_REQUEST', problem);
  const merged = mergeMask(original.bytes, form.upload.bytes);
  if (typeof merged === 'string') return refusal(400, 'BAD_REQUEST', merged);
  const kept = files.upload({ ...form.upload, bytes: merged, filename: pngName(form.upload.filename) });
  return json({
    name: kept.filename,
    subfolder: kept.subfolder,
    type: kept.type,
    metadata: {
      is_mask: true,
      original_hash: original.filename,
      mask_type: 'painted_masked',
      related_files: { mask: kept.filename, paint: null, painted: null },
    },
  });
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const pngName = (filename: string): string => `${filename.replace(/\.[^.]*$/, '')}.png`;
