import { useEffect, useRef, useState } from 'react';
import type { Subscription } from 'rxjs';
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
interface Upload {
  readonly chosen: Chosen | undefined;
  /** How the upload fares, in words. */
  readonly told: { readonly text: string; readonly isError: boolean } | undefined;
  readonly take: (file: Blob | undefined, name: string) => void;
}

/** Sends a file to the gateway as soon as it is chosen, and sets the name that the service gave it. */
export const useUpload = (set: (value: string) => void): Upload => {
  const { remote, bench } = useStudio();
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
        const { subfolder, name: given } = state.file;
        setTold({ text: texts.form.sent(name), isError: false });
        const path = subfolder === '' ? given : `${subfolder}/${given}`;
        bench.act({ type: 'sent', name: path });
        set(path);
      },
      error: (error: unknown) => setTold({ text: failureOf(error).message, isError: true }),
    });
  };
  return { chosen, told, take };
};
