import type { LocalHandler } from '../local-service.js';
import { localJson, readForm, readObject, readType } from '../local-http.js';
import { mergeMask } from '../../store/reduce-picture.js';
import { ServerError } from '../python.js';

/** `POST /upload/image`: stores the file under its name, or `name (1).ext` where other bytes have that name. */
export const uploadImage: LocalHandler = async (request) => {
  const form = await readForm(request);
  if (!('upload' in form)) return form;
  const { filename, subfolder, type } = request.service.files.upload(form.upload);
  return localJson({ name: filename, subfolder, type });
};

/**
 * `POST /upload/mask`: stores the original with the upload's alpha. Where the original does not exist it answers as
 * usual and stores nothing.
 */
export const uploadMask: LocalHandler = async (request) => {
  const form = await readForm(request);
  if (!('upload' in form)) return form;
  const { files } = request.service;
  const reference = readObject(form.field('original_ref') ?? '');
  const original = files.find(
    text(reference['filename']) ?? '',
    readType(text(reference['type']) ?? 'output'),
    text(reference['subfolder']) ?? '',
  );
  const { filename, subfolder, type } = form.upload;
  if (!original) return localJson({ name: filename, subfolder, type });
  const merged = mergeMask(original.bytes, form.upload.bytes);
  if (typeof merged === 'string') throw new ServerError(merged);
  const kept = files.upload({ ...form.upload, bytes: merged });
  return localJson({ name: kept.filename, subfolder: kept.subfolder, type: kept.type });
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
