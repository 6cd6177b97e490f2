const { createClient } = require('promptwire');
const { scriptedService } = require('promptwire/testing');
const { Observable } = require('rxjs');

const client = createClient(scriptedService());
console.log(client.run({}) instanceof Observable);
client.close();
