import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';
import { readForm } from '../read-form.js';

/** `POST /upload/image`: keeps the file under its own name, or `name (1).ext` where other bytes have that. */
export const uploadImage: LocalHandler = async (request) => {
  const form = await readForm(request);
  if (!('upload' in form)) return form;
  const { filename, subfolder, type } = request.service.files.upload(form.upload);
  return localJson({ name: filename, subfolder, type });
};
