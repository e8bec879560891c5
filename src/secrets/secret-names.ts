/** What a name promises about its value: a password a person may have chosen, or a generated secret. */
export type NamedSecret = 'password' | 'generated';

/** Reads from the words of a name (`DB_PASSWORD`, `clientSecret`, `x-api-key`) whether its value is a secret. */
export function namedSecret(name: string): NamedSecret | undefined {
  const words = wordsOf(name);
  let kind: NamedSecret | undefined;
  for (const [index, word] of words.entries()) {
    if (describingWords.has(word)) kind = undefined;
    else if (passwordWords.has(word) || word.endsWith('password')) kind = 'password';
    else if (generatedWords.has(word)) kind = kind ?? 'generated';
    else if (word === 'key' && keyOwners.has(words[index - 1] ?? '')) kind = kind ?? 'generated';
  }
  return kind;
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const passwordWords = setOf(
  'password passwd pwd psk storepass keypass passphrase pass passcode passwort kennwort pw userpass dbpass rootpass dbpassword userpassword',
);

const generatedWords = setOf(
  'secret token apikey apitoken apisecret accesskey accesstoken authtoken auth authkey secretkey privatekey ' +
    'clientsecret credential credentials signature authorization bearer',
);

const keyOwners = setOf(
  'api access private secret signing sign signature encryption encrypt crypto master auth account shared client ' +
    'service admin app application session webhook storage deploy ssh hmac aes jwt cookie subscription ingest ' +
    'write consumer license licence root host function csrf functions security integration data pre preshared psk',
);

/** A name that ends with or continues with one of these describes a secret and does not hold it. */
const describingWords = setOf(
  'name names id ids url uri urls path paths file files filename field fields label hint type types length len size ' +
    'count limit min max expiry expires expire expiration ttl age hash hashed salt prompt placeholder error errors ' +
    'message msg header headers param params parameter regex pattern policy reset rule rules strength provider ' +
    'endpoint format prefix suffix ref store manager mgr encryption cipher depth fail err input icon title description desc help link page form color ' +
    'class style index kind version date time timeout at seconds minutes hours days schema arn scope scopes ' +
    'algorithm alg algo required enabled disabled confirmation cache map list array budget usage window model ' +
    'encoding mode state status valid validator validation rotation owner public pub fingerprint checksum digest ' +
    'fn func callback handler getter factory source method strategy in out tokens idx pos position symbol keyword',
);
