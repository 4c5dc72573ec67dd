// Loaded before the conformance suite, which knows no way to be given a token: every request of it carries ours.
import http from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";

const { Agent, setGlobalDispatcher } = createRequire(process.argv[1])("undici");
const token = ["authorization", `Bearer ${process.env.TOKEN}`];

const withToken = (headers) => {
  if (Array.isArray(headers)) return [...headers, ...token];
  const known = typeof headers?.[Symbol.iterator] === "function" ? Object.fromEntries(headers) : headers;
  return { ...known, [token[0]]: token[1] };
};
setGlobalDispatcher(
  new Agent().compose((dispatch) => (options, handler) =>
    dispatch({ ...options, headers: withToken(options.headers) }, handler),
  ),
);

const request = http.request;
http.request = (...words) => {
  const options = words.find((word) => word && typeof word === "object" && !(word instanceof URL));
  if (options) options.headers = withToken(options.headers);
  return request(...words);
};
syncBuiltinESMExports();
