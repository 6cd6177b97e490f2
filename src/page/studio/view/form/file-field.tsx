import { useEffect, useState, type ReactElement } from 'react';
import { filter } from 'rxjs';
import type { ControlProps } from './control-props.js';
import { type FileDialog, FileDialogs } from './file-dialogs.js';
import { fileName } from '../../state/sent-files.js';
import { keyOf } from '../../state/shown-inputs.js';
import { texts } from '../../texts.js';
import { useStudio } from '../use-studio.js';
import { useUpload } from './use-upload.js';

const accepted = { image: 'image/*', audio: 'audio/*', video: 'video/*', file: '*/*' } as const;

/** A file of the service or a new one: opened, dropped, pasted or taken by the camera; of a picture a mask is painted. */
export const FileField = ({ field, id, set }: ControlProps): ReactElement => {
  const { chosen, told, take } = useUpload(set);
  const [opened, setOpened] = useState<FileDialog>();
  const close = (): void => setOpened(undefined);
  const { upload = 'image', shownLabel, value } = field;
  useOffered(keyOf(field), take);
  const takeFirst = (files: FileList | null): boolean => {
    const [file] = files ?? [];
    take(file, file?.name ?? 'file');
    return file !== undefined;
  };
  return (
    <div
      className="file"
      data-takes-files
      // A click puts the focus here, and so what is pasted after it.
      tabIndex={-1}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        takeFirst(event.dataTransfer.files);
      }}
      onPaste={(event) => {
        if (takeFirst(event.clipboardData.files)) event.preventDefault();
      }}
    >
      {upload === 'image' && chosen !== undefined && (
        <img className="file-picture" src={chosen.url} alt={texts.form.pictureOf(shownLabel)} />
      )}
      <div className="file-buttons">
        <Opener id={id} label={texts.form.openFile} accept={accepted[upload]} onFiles={takeFirst} />
        {upload === 'image' && hasOwnCamera() && (
          <Opener label={texts.form.camera} accept="image/*" isCamera onFiles={takeFirst} />
        )}
        {upload === 'image' && !hasOwnCamera() && (
          <button type="button" onClick={() => setOpened('camera')}>
            {texts.form.camera}
          </button>
        )}
        {upload === 'image' && chosen !== undefined && (
          <button type="button" onClick={() => setOpened('mask')}>
            {texts.mask.paint}
          </button>
        )}
      </div>
      <p className="hint">{value === undefined ? texts.form.noFile : texts.form.file(fileName(value))}</p>
      {told !== undefined && (
        <p role={told.isError ? 'alert' : 'status'} className={told.isError ? 'error' : 'hint'}>
          {told.text}
        </p>
      )}
      <FileDialogs opened={opened} chosen={chosen} take={take} close={close} />
    </div>
  );
};

/** Takes the files that were dropped or pasted beside the field, and carried no workflow. */
const useOffered = (key: string, take: (file: Blob, name: string) => void): void => {
  const { offered } = useStudio();
  useEffect(() => {
    const taking = offered
      .pipe(filter((one) => one.key === key))
      .subscribe(({ file, name }) => take(file, name));
    return () => taking.unsubscribe();
  }, [offered, key, take]);
};

/** A phone opens its own camera for an input of files, as does a page that may not use the camera itself. */
const hasOwnCamera = (): boolean => !isSecureContext || matchMedia('(pointer: coarse)').matches;

interface OpenerProps {
  readonly id?: string;
  readonly label: string;
  readonly accept: string;
  readonly isCamera?: boolean;
  readonly onFiles: (files: FileList | null) => void;
}

const Opener = ({ id, label, accept, isCamera = false, onFiles }: OpenerProps): ReactElement => (
  <label className="button">
    {label}
    <input
      id={id}
      type="file"
      className="visually-hidden"
      accept={accept}
      capture={isCamera ? 'environment' : undefined}
      onChange={({ target }) => onFiles(target.files)}
    />
  </label>
);
