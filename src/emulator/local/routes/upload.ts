import type { Answer } from '../../http/answer.js';
import { contentHash } from '../content-hash.js';
import type { FileDescriptor } from '../../engine/node-class.js';
import type { LocalHandler, LocalRequest } from '../local-service.js';
import { mediaTypeOf } from '../../store/file-store.js';
import { localJson, readForm, readObject, readType } from '../local-http.js';
import { mergeMask } from '../../store/reduce-picture.js';
import { ServerError } from '../python.js';

/** `POST /upload/image`: stores the file under its name, or `name (1).ext` where other bytes have that name. */
export const uploadImage: LocalHandler = async (request) => {
  const form = await readForm(request);
  if (!('upload' in form)) return form;
  return uploaded(request, request.service.files.upload(form.upload));
};

/** What the server calls the file, and its asset where it keeps assets. */
const uploaded = async (
  { service: { files, ids, settings } }: LocalRequest,
  { filename, subfolder, type }: FileDescriptor,
): Promise<Answer> => {
  const named = { name: filename, subfolder, type };
  const bytes = files.find(filename, type, subfolder)?.bytes;
  if (!settings.switches.assets || bytes === undefined) return localJson(named);
  const asset = {
    ...{ id: ids.uuid(), name: filename, asset_hash: await contentHash(bytes) },
    ...{ size: bytes.length, mime_type: mediaTypeOf(filename).replace(/;.*/u, ''), tags: [type] },
  };
  return localJson({ ...named, asset });
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
  return uploaded(request, kept);
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
