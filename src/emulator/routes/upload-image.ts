import { json } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { readUpload } from './read-upload.js';

/** `POST /api/upload/image`: keeps the file and answers the name to use in workflows. */
export const uploadImage: Handler = async (request) => {
  const form = await readUpload(request);
  if (!('upload' in form)) return form;
  const { filename, subfolder, type } = request.account.files.upload(form.upload);
  return json({ name: filename, subfolder, type });
};
