/** What a person is told before the files of a job are saved that may not be all. */
export const incompleteRecord = 'the record of the job is not complete: files may be missing';
