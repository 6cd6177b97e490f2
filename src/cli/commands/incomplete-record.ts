/** The warning before files are saved that may not be all files of the job. */
export const incompleteRecord = 'the record of the job is not complete: files may be missing';
