// Takes what the server tells: at once, and whenever it has changed. Where enough pages are told already, the server closes
// the stream, and the browser comes again after the interval. Says what keeps the news away.
function follow(take, say) {
  const stream = new EventSource("events" + location.search);
  let failures = 0;
  stream.onmessage = event => {
    failures = 0;
    const news = JSON.parse(event.data);
    if (news.problem) say(news.problem); else take(news);
  };
  stream.onerror = () => {
    if (++failures > 1 || stream.readyState === EventSource.CLOSED) say("ntune watch has ended; this page stays as it is.");
    // A refusal is final for the browser, while the study may come back.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => follow(take, say), 5000);
  };
}
