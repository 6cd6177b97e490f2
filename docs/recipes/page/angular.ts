// A page that submits, shows and stops jobs. Its address names the job, so that a reload goes on with it.
import { bootstrapApplication } from '@angular/platform-browser';
import { Component, signal } from '@angular/core';
import { concat, defer, map } from 'rxjs';
import { createRemote, isTerminal, objectUrls } from 'promptwire/remote';
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
  </form>`,
})
class Page {
  readonly id = signal(location.hash.slice(1) || undefined);
  readonly state = rxResource({ params: this.id, stream: ({ params }) => remote.follow(params) });
  readonly picture = rxResource({ params: this.id, stream: ({ params }) => pictures(params) });
  readonly isOver = () => isTerminal(this.state.value()?.phase ?? 'completed');
  readonly stop = () => remote.cancel(this.id() ?? '');
  readonly submit = (prompt: string) => {
    const job = remote.runTemplate('picture', { prompt });
    job.subscribe(({ promptId }) => this.id.set((location.hash = promptId) || undefined));
  };
}
void bootstrapApplication(Page);
