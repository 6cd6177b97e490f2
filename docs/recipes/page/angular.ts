// A page that submits, shows and stops jobs. Its address names the job, so that a reload goes on with it.
import { AsyncPipe } from '@angular/common';
import { bootstrapApplication } from '@angular/platform-browser';
import { Component, signal } from '@angular/core';
import { catchError, concat, defer, EMPTY, map, type Observable, startWith, switchMap } from 'rxjs';
import { createRemote, isTerminal, objectUrls } from 'promptwire/remote';
import type { JobState } from 'promptwire';
import { toObservable } from '@angular/core/rxjs-interop';

const remote = createRemote({ account: 'visitor' });
const result = (id: string) => defer(() => remote.outputs(id)).pipe(map(([output]) => output?.url));
const pictures = (id: string) => concat(remote.previews(id).pipe(objectUrls()), result(id));

@Component({
  selector: 'main',
  imports: [AsyncPipe],
  template: `@let state = states | async;
    <form (submit)="$event.preventDefault(); submit(prompt.value)">
      <input #prompt /> <button>Paint</button> <progress [value]="state?.progress ?? 0"></progress>
      {{ state?.phase }}
      @if (state && !isTerminal(state.phase)) {
        <button type="button" (click)="stop()">Stop</button>
      }
      @if (pictures | async; as url) {
        <p><img [src]="url" alt="" /></p>
      }
      <p role="alert">{{ problem()?.message ?? state?.failure?.exceptionMessage }}</p>
    </form>`,
})
class Page {
  readonly id = signal(location.hash.slice(1));
  readonly problem = signal<Error | undefined>(undefined);
  readonly tell = (error: Error) => (this.problem.set(error), EMPTY);
  readonly ids = toObservable(this.id);
  /** What is watched of the job that the address names; of another job nothing stays. */
  readonly ofJob = <A>(watch: (id: string) => Observable<A>) => {
    const told = (id: string) => watch(id).pipe(catchError(this.tell));
    return this.ids.pipe(switchMap((id) => (id === '' ? EMPTY : told(id)).pipe(startWith(undefined))));
  };
  readonly states = this.ofJob(remote.follow);
  readonly pictures = this.ofJob(pictures);
  readonly isTerminal = isTerminal;
  readonly stop = () => remote.cancel(this.id()).catch(this.tell);
  readonly submit = (prompt: string) => {
    this.problem.set(undefined);
    const next = ({ promptId }: JobState) => this.id.set((location.hash = promptId));
    remote.runTemplate('picture', { prompt }).subscribe({ next, error: this.tell });
  };
}
void bootstrapApplication(Page);
