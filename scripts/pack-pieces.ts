// `node scripts/pack-pieces.ts FROM TO`: writes the vocabulary of a `tokenizer.json` as the numbers by which it is looked up
// (src/models/tokenizers/piece-trie.ts). The same file gives the same bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import { sha256 } from '../src/core/identity.ts';
import { bytesOfPieces, packPieces } from '../src/models/tokenizers/piece-trie.ts';

const [from = '', to = ''] = process.argv.slice(2);
const { model } = JSON.parse(readFileSync(from, 'utf8'));
// The second time with the size that it turned out to have.
const bytes = bytesOfPieces(packPieces(model.vocab, packPieces(model.vocab).ids.length));
writeFileSync(to, bytes);
console.log(`${to}: ${bytes.length} bytes, SHA-256 ${sha256(bytes)}`);
