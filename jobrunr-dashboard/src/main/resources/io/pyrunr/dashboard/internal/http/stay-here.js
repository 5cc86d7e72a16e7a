// JobRunr's pages ask their vendor for the latest version and for news. This server's policy forbids it,
// and the browser would say so on its console; so nobody is asked. The pages do without an answer.
const ask = window.fetch;
window.fetch = (request, options) =>
  new URL(request.url ?? request, location).origin === location.origin
    ? ask(request, options)
    : Promise.reject(new TypeError("other servers are not asked"));
