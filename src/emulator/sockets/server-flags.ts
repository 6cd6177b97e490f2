import type { Settings } from '../settings.js';

/** What the service announces of itself, in the handshake and at `GET /api/features`. */
export const serverFlags = ({ switches }: Settings): Readonly<Record<string, unknown>> => ({
  supports_preview_metadata: true,
  max_upload_size: switches.maxUploadBytes,
  ...(switches.promptText ? { supports_progress_text_metadata: true } : {}),
});
