import { useEffect, useRef, useState } from 'react';
import type { Subscription } from 'rxjs';
import { fileInput } from '../../../../workflow/file-input.js';
import { failureOf } from '../../state/failure.js';
import { texts } from '../../texts.js';
import { useStudio } from '../use-studio.js';

/** A file that was chosen, as the page shows it. */
interface Chosen {
  readonly url: string;
  readonly file: Blob;
  readonly name: string;
}

/** What a control for files shows and does. */
export interface Upload {
  readonly chosen: Chosen | undefined;
  /** How the upload fares, in words. */
  readonly told: { readonly text: string; readonly isError: boolean } | undefined;
  readonly take: (file: Blob | undefined, name: string) => void;
}

/** Sends a file to the gateway as soon as it is chosen, and sets the reference by which a workflow names it. */
export const useUpload = (set: (value: unknown) => void): Upload => {
  const { remote } = useStudio();
  const [chosen, setChosen] = useState<Chosen>();
  const [told, setTold] = useState<Upload['told']>();
  const sending = useRef<Subscription>(undefined);
  const url = chosen?.url;
  useEffect(() => () => sending.current?.unsubscribe(), []);
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const take: Upload['take'] = (file, name) => {
    if (file === undefined) return;
    setChosen({ url: URL.createObjectURL(file), file, name });
    sending.current?.unsubscribe();
    sending.current = remote.upload(file, { filename: name }).subscribe({
      next: (state) => {
        if (state._tag === 'uploading') {
          setTold({ text: texts.form.sending(state), isError: false });
          return;
        }
        setTold({ text: texts.form.sent(name), isError: false });
        // By its reference: the service may have the same bytes under another name.
        set(fileInput(state.file));
      },
      error: (error: unknown) => setTold({ text: failureOf(error).message, isError: true }),
    });
  };
  return { chosen, told, take };
};
