// A page that submits, shows and stops jobs. Its address names the job, so that a reload goes on with it.
import { bootstrapApplication } from '@angular/platform-browser';
import { Component, signal } from '@angular/core';
import { catchError, concat, defer, map, type Observable, of } from 'rxjs';
import { createRemote, isTerminal, objectUrls } from 'promptwire/remote';
import type { JobState } from 'promptwire';
import { rxResource } from '@angular/core/rxjs-interop';

const remote = createRemote({ account: 'visitor' });
const result = (id: string) => defer(() => remote.outputs(id)).pipe(map(([output]) => output?.url));
const pictures = (id: string) => concat(remote.previews(id).pipe(objectUrls()), result(id));

@Component({
  selector: 'main',
  template: `<form (submit)="$event.preventDefault(); submit(prompt.value)">
    <input #prompt /> <button>Paint</button> <progress [value]="state.value()?.progress ?? 0"></progress>
    {{ state.value()?.phase }}
    <button type="button" [hidden]="isOver()" (click)="stop()">Stop</button> <img [src]="picture.value()" />
    <p role="alert">{{ problem()?.message ?? state.value()?.failure?.exceptionMessage }}</p>
  </form>`,
})
class Page {
  readonly id = signal(location.hash.slice(1) || undefined);
  readonly problem = signal<Error | undefined>(undefined);
  readonly tell = (error: Error) => (this.problem.set(error), of(undefined));
  readonly told = <A>(watched: Observable<A>) => watched.pipe(catchError(this.tell));
  readonly state = rxResource({ params: this.id, stream: ({ params }) => this.told(remote.follow(params)) });
  readonly picture = rxResource({ params: this.id, stream: ({ params }) => this.told(pictures(params)) });
  readonly isOver = () => isTerminal(this.state.value()?.phase ?? 'completed');
  readonly stop = () => remote.cancel(this.id() ?? '').catch(this.tell);
  readonly submit = (prompt: string) => {
    this.problem.set(undefined);
    const next = ({ promptId }: JobState) => this.id.set((location.hash = promptId) || undefined);
    remote.runTemplate('picture', { prompt }).subscribe({ next, error: this.tell });
  };
}
void bootstrapApplication(Page);
