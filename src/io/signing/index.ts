export { plainKey, type Signer, signerOf, signWith } from './ssh-keys.ts';
